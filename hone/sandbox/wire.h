// How the engine and the processes that run code talk: frames on a stream socket.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hone::sandbox {

// The program is started with its end of the control socket here; a worker has its own socket here.
inline constexpr int kSocket = 3;

// A zygote is asked for a worker by this byte on its control socket, with the socket of the new
// worker attached.
inline constexpr char kFork = 'F';

// The first frame that a worker gets: until then it waits, for whatever call will come.
struct WorkerLimits {
  std::uint64_t memory = 0;          // Bytes of address space beside the language.
  std::uint32_t cpu_seconds = 0;     // 0: no limit.
  std::uint32_t longest_answer = 0;  // Bytes.
  std::uint32_t processes = 0;       // That it may have at once beside its own; threads count.
  bool weak = false;                 // Do without what the kernel lacks.
  bool reused = false;               // It serves calls until its socket closes.
};

// A frame is its type, the length of its body and the body.
enum class FrameType : char {
  Hello = 'H',    // From the zygote, with the worker's process attached.
  Limits = 'S',   // WorkerLimits.
  Request = 'Q',  // Secret, then JSON.
  Answer = 'A',   // The same secret, then JSON.
  TooLong = 'L',  // The same secret: the answer is longer than the limit.
  End = 'E'       // From the zygote: the wait status of the ended worker.
};
struct FrameHead {
  FrameType type = FrameType::End;
  std::uint32_t length = 0;
};

// Known to the engine and to the worker's own code, not to the code that it runs: whoever writes on
// the socket without it is not the worker.
using Secret = std::array<char, 16>;

// Blocking. False when the other side is gone.
bool write_all(int socket, std::string_view bytes);
bool write_frame(int socket, FrameType type, std::string_view body);
bool read_all(int socket, char* to, std::size_t length);

// Sends bytes with a descriptor, or receives them; -1 for no descriptor. False on failure.
bool send_with(int socket, std::string_view bytes, int descriptor);
bool receive_with(int socket, char* to, std::size_t length, int& descriptor);

}  // namespace hone::sandbox
