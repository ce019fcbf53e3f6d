#include "hone/evaluate/fences.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "hone/base/text.h"

namespace hone::evaluate {
namespace {

constexpr std::size_t kShortestFence = 3;

struct Fence {
  char mark = '`';
  std::size_t length = 0;
  std::size_t indentation = 0;
  std::string language;  // Lower case; of an opening fence.
};
struct Block {
  std::string language;
  std::string code;
};

std::optional<Fence> fence_at(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t>");
  if (start == std::string_view::npos) return std::nullopt;
  Fence fence{.mark = line[start], .indentation = start};
  if (fence.mark != '`' && fence.mark != '~') return std::nullopt;
  const std::size_t end = std::min(line.find_first_not_of(fence.mark, start), line.size());
  fence.length = end - start;
  const std::string_view info = trim(line.substr(end));
  // Code in a line: ```x``` is no fence.
  if (fence.length < kShortestFence || info.find('`') != std::string_view::npos)
    return std::nullopt;
  fence.language = lower(info.substr(0, info.find_first_of(" \t{,:")));
  return fence;
}

bool closes(const Fence& fence, const Fence& open) {
  return fence.mark == open.mark && fence.length >= open.length && fence.language.empty();
}

// A fence inside of a list is indented, and its code with it.
std::string_view without_indentation(std::string_view line, std::size_t most) {
  std::size_t count = 0;
  while (count < most && count < line.size() && (line[count] == ' ' || line[count] == '\t'))
    ++count;
  return line.substr(count);
}

std::vector<Block> blocks_in(std::string_view text) {
  std::vector<Block> blocks;
  std::optional<Fence> open;
  for (const std::string& line : split(text, '\n')) {
    const auto fence = fence_at(line);
    if (!open && fence) {
      open = fence;
      blocks.push_back({fence->language, ""});
    } else if (open && fence && closes(*fence, *open)) {
      open.reset();
    } else if (open) {
      blocks.back().code += without_indentation(line, open->indentation);
      blocks.back().code += '\n';
    }
  }
  return blocks;
}

std::string canonical(std::string_view language) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kAliases{
      {{"py", "python"},
       {"python3", "python"},
       {"py3", "python"},
       {"js", "javascript"},
       {"node", "javascript"},
       {"mjs", "javascript"},
       {"ts", "typescript"},
       {"rs", "rust"},
       {"rb", "ruby"},
       {"sh", "bash"},
       {"cpp", "c++"}}};
  for (const auto& [alias, name] : kAliases) {
    if (alias == language) return std::string(name);
  }
  return std::string(language);
}

bool begins_with_any(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return line.starts_with(word); });
}

bool defines(std::string_view line) {
  return begins_with_any(line, {"def ", "class ", "async def ", "fn ", "pub ", "function ", "func ",
                                "const ", "let ", "var ", "export ", "module ", "local function "});
}

bool defines_something(const Block& block) {
  return std::ranges::any_of(split(block.code, '\n'),
                             [](const std::string& line) { return defines(line); });
}

bool begins_code(std::string_view line) {
  return defines(line) || begins_with_any(line, {"import ", "@", "#", "//", "use ", "package "}) ||
         (line.starts_with("from ") && contains_word(line, "import"));
}

std::string unfenced(std::string_view text) {
  const auto lines = split(text, '\n');
  const auto code = std::ranges::find_if(lines, [](const auto& line) { return begins_code(line); });
  if (code == lines.end() || code == lines.begin()) return std::string(text);
  return join(std::span(code, lines.end()), "\n");
}

std::vector<Block> candidates(std::vector<Block> blocks, const std::string& language) {
  const auto of = [&](const std::string& wanted) {
    std::vector<Block> found;
    for (const Block& block : blocks) {
      if (canonical(block.language) == wanted) found.push_back(block);
    }
    return found;
  };
  if (language.empty()) return blocks;
  if (auto found = of(canonical(language)); !found.empty()) return found;
  if (auto found = of(""); !found.empty()) return found;
  return blocks;
}

}  // namespace

std::string code_in(std::string_view text, std::string_view language) {
  const std::vector<Block> blocks = candidates(blocks_in(text), lower(language));
  if (blocks.empty()) return unfenced(text);
  std::string code;
  for (const Block& block : blocks) {
    if (defines_something(block)) code += block.code;
  }
  return code.empty() ? blocks.back().code : code;
}

}  // namespace hone::evaluate
