#include "hone/journal/originals.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "hone/base/error.h"

namespace hone::journal {
namespace {

Error other_key(const RecordedRun& run, const std::string& theirs, const std::string& ours) {
  return {ErrorKind::InvalidInput,
          fmt::format("the originals of run {} were sealed with the key {}, and the one here is {}",
                      run.header.run, theirs, ours),
          "give that key with HONE_SEAL_KEY or --seal-key-file; `hone show` needs none"};
}

Error changed(const RecordedRun& run, const std::string& placeholder) {
  return {
      ErrorKind::Corrupt,
      fmt::format("the sealed original of {} in run {} was changed", placeholder, run.header.run),
      "restore the store from a backup; `hone show` still shows the run"};
}

std::string open(const RecordedRun& run, const SealedOriginal& original, const SealKey& key) {
  if (original.key != key.fingerprint()) throw other_key(run, original.key, key.fingerprint());
  const std::string place = seal_place(run.header.run, original.placeholder);
  if (auto text = key.open(original.sealed, place)) return *std::move(text);
  throw changed(run, original.placeholder);
}

using Places = std::map<std::string, int, std::less<>>;

void add_placeholders(std::string_view text, Places& all) {
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const std::size_t length = placeholder_length(text.substr(at));
    if (length > 0) ++all[std::string(text.substr(at, length))];
  }
}

}  // namespace

std::string seal_place(std::string_view run, std::string_view placeholder) {
  return fmt::format("{} {}", run, placeholder);
}

namespace {

// How often each placeholder stands in the texts of the run.
Places places_in(const RecordedRun& run) {
  Places all;
  if (run.header_redacted) add_placeholders(to_text(run.header), all);
  for (const Record& effect : run.effects) {
    if (!effect.redacted) continue;
    add_placeholders(effect.request, all);
    add_placeholders(effect.answer, all);
  }
  for (const RecordedEvent& event : run.events) {
    if (event.redacted) add_placeholders(event.text, all);
  }
  return all;
}

}  // namespace

std::vector<Original> placeholders_of(const RecordedRun& run) {
  std::vector<Original> originals;
  for (const auto& [name, places] : places_in(run)) originals.push_back({name, name});
  return originals;
}

Redacted redacted_in(const RecordedRun& run) {
  Redacted redacted;
  for (const auto& [name, places] : places_in(run)) {
    ++redacted.originals[name.substr(1, name.rfind('_') - 1)];
    redacted.places += places;
  }
  return redacted;
}

namespace {

RunHeader original_header(const RecordedRun& run) {
  const Originals originals(run.originals);
  return header_from_json(
      parse_json(originals.put_back(to_text(run.header), Originals::Form::Json)));
}

// Fills them in, as far as they can be had.
Unsealed open_all(RecordedRun& run, Sealer* sealer) {
  std::map<std::string_view, const SealedOriginal*> sealed;
  for (const SealedOriginal& original : run.sealed) {
    if (!original.key.empty()) sealed.emplace(original.placeholder, &original);
  }
  const SealKey* key = sealer == nullptr || sealed.empty() ? nullptr : sealer->find_key();
  Unsealed result = Unsealed::All;
  for (Original& original : run.originals) {
    const auto found = sealed.find(original.placeholder);
    if (found == sealed.end()) {
      result = Unsealed::NotKept;
    } else if (key == nullptr) {
      return Unsealed::NoKey;
    } else {
      original.text = open(run, *found->second, *key);
    }
  }
  return result;
}

}  // namespace

Unsealed unseal(RecordedRun& run, Sealer* sealer) {
  if (run.originals.empty()) return Unsealed::Nothing;
  const Unsealed result = open_all(run, sealer);
  run.header = original_header(run);
  return result;
}

namespace {

// The run with events that have their originals, and no effects.
RecordedRun with_originals(const RecordedRun& run) {
  RecordedRun whole;
  whole.header = run.header;
  const Originals originals(run.originals);
  for (const RecordedEvent& event : run.events) {
    const bool changes = event.redacted && !run.originals.empty();
    whole.events.push_back(
        {changes ? originals.put_back(event.text, Originals::Form::Json) : event.text, event.at});
  }
  return whole;
}

}  // namespace

core::Run original_run(const RecordedRun& run) { return fold(with_originals(run)); }

std::vector<core::Event> original_events(const RecordedRun& run) {
  std::vector<core::Event> events;
  for (const RecordedEvent& event : with_originals(run).events)
    events.push_back(core::event_from_json(parse_json(event.text)));
  return events;
}

}  // namespace hone::journal
