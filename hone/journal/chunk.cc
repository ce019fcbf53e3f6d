#include "hone/journal/chunk.h"

#include "hone/base/error.h"

namespace hone::journal {
namespace {

constexpr unsigned kKindBits = 4;
constexpr unsigned kFailed = 1U << kKindBits;
constexpr unsigned kRedacted = 2U << kKindBits;
constexpr unsigned kKinds = static_cast<unsigned>(Kind::Again) + 1;
constexpr std::size_t kMostOfARun = 4096;
constexpr std::size_t kMostOfABody = 3072;
constexpr std::string_view kTypical =
    R"({"format":1,"hone":"0.1.0","run":"","task_name":"","task":"{\"task\":\")"
    R"(","options":"{\"max_attempts\":3}","models":{"generate":"","evaluate":"","reflect":"",)"
    R"("revise":""},"seed":0,"process":{"host":"","id":,"started":,"boot":" pid:[4026531836]"})"
    R"(,"started":17}{"event":"run_started","task":{"name":"","prompt":","type":"general"}})"
    R"({"exit_code":0,"output":"","errors":"","timed_out":false}{"command":[")"
    R"(","environment":{},"files":{"HONE_OUTPUT_FILE":"},"output_limit":262144,)"
    R"("timeout":10000000000}{"event":"lessons_recalled"}{"event":"budget_warning"})"
    R"({"event":"stopped","reason":"passed","detail":"attempt passed","selected":1}stopped)"
    R"({"event":"run_finished","usage":{"evaluate":{"cached":,"suggestions":[")"
    R"({"event":"attempt_started","attempt":1}attempt_started)"
    R"({"event":"evaluated","attempt":{"number":1,"strategy":"generate","parent":,)"
    R"("output":{"text":","model":"},"evaluation":{"outcome":"failed","score":0.,)"
    R"("interval":[0.,0.],"samples":1,"checks":[{"name":"schema","kind":"schema",)"
    R"("outcome":"passed","score":1.0,"issues":[{"path":"","message":"","kind":"required",)"
    R"("check":"schema","value":"}]},"changes":{"resolved":[],"carried":[],"new":[]},)"
    R"("started":17,"usage":{"generate":{"calls":1,"input":,"output":,"usd":0.}}evaluated)"
    R"({"event":"reflected","attempt":1,"reflection":{"text":","what_happened":")"
    R"(","what_went_wrong":","why":","do_differently":","rule":"}}reflected)"
    R"(attempt/1/generate/ask/1generate attempt/1/reflect/ask/1reflect )"
    R"(attempt/1/evaluate/1-judge/ask/1judge attempt/2/revise/ask/1regenerate )"
    R"({"model":"openai:","request":{"attempt":1,"messages":[{"speaker":"system","text":")"
    R"("},{"speaker":"user","text":"},{"speaker":"assistant","text":"}],"role":"revise",)"
    R"("sampling":{"temperature":0.7,"max_tokens":2048},"schema":{"type":"object"}}})"
    R"({"text":","finish":"complete","model":","usage":{"calls":1,"input":40,"output":12}})";
constexpr char kEnd = '\0';  // Of a document, in which no control character stands.

// Seven bits a byte, the low ones first (LEB128).
void append_number(std::uint64_t number, std::string& body) {
  for (; number >= 0x80; number >>= 7) body += static_cast<char>(number | 0x80);
  body += static_cast<char>(number);
}

// Small ones are short, whatever their sign.
void append_signed(std::int64_t number, std::string& body) {
  append_number(static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63),
                body);
}

void append_text(std::string_view text, std::string& body) {
  append_number(text.size(), body);
  body += text;
}

void append_document(std::string_view json, Keep keep, std::int64_t chunk, Folding& folding,
                     std::string& body) {
  folding.fold(json, keep, chunk, body);
  body += kEnd;
}

class Reader {
 public:
  explicit Reader(std::string_view body) : rest_(body) {}

  bool at_end() const { return rest_.empty(); }

  unsigned byte() { return static_cast<unsigned char>(take(1).front()); }
  std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const unsigned next = byte();
      number |= std::uint64_t{next & 0x7F} << shift;
      if (next < 0x80) return number;
    }
    throw damaged();
  }
  std::int64_t signed_number() {
    const std::uint64_t code = number();
    return static_cast<std::int64_t>(code >> 1 ^ (0 - (code & 1)));
  }
  std::string text() { return std::string(take(number())); }
  std::string document() {
    const std::size_t end = rest_.find(kEnd);
    if (end == std::string_view::npos) throw damaged();
    std::string json(take(end));
    rest_.remove_prefix(1);
    return json;
  }
  static Error damaged() {
    return {ErrorKind::Corrupt, "a record cannot be read",
            "restore the store from a backup, or choose another file with --store"};
  }

 private:
  std::string_view take(std::uint64_t length) {
    if (length > rest_.size()) throw damaged();
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace

void append_record(const Record& record, std::int64_t chunk, Folding& folding, Instant& last,
                   std::string& body) {
  unsigned head = static_cast<unsigned>(record.kind);
  if (record.failed) head |= kFailed;
  if (record.redacted) head |= kRedacted;
  body += static_cast<char>(head);
  append_signed((record.at - last).count(), body);
  last = record.at;
  append_text(record.path, body);
  append_text(record.prompt, body);
  append_document(record.request, Keep::Shared, chunk, folding, body);
  const Keep keep = record.kind == Kind::Header ? Keep::Shared : Keep::InRun;
  append_document(record.answer, keep, chunk, folding, body);
}

std::vector<Record> records_in(std::string_view body) {
  Reader reader(body);
  std::vector<Record> records;
  Instant last;
  while (!reader.at_end()) {
    Record& record = records.emplace_back();
    const unsigned head = reader.byte();
    const unsigned kind = head & (kFailed - 1);
    if (kind >= kKinds || head >= kRedacted << 1) throw Reader::damaged();
    record.kind = static_cast<Kind>(kind);
    record.failed = (head & kFailed) != 0;
    record.redacted = (head & kRedacted) != 0;
    record.at = last = last + Duration(reader.signed_number());
    record.path = reader.text();
    record.prompt = reader.text();
    record.request = reader.document();
    record.answer = reader.document();
  }
  return records;
}

std::string_view Window::text(std::string& scratch) const {
  return scratch.assign(kTypical) += last_;
}

void Window::add(std::string_view body) {
  if (body.size() > kMostOfABody) return;
  const std::size_t room = kMostOfARun - body.size();
  if (last_.size() > room) last_.erase(0, last_.size() - room);
  last_ += body;
}

}  // namespace hone::journal
