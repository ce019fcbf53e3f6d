#include "hone/process/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "hone/base/error.h"
#include "hone/process/descriptor.h"

namespace hone::process {
namespace {

// What the script writes to descriptor `to`, which is the only one it is given.
std::string said_on(int to, const std::string& script, Program program = {}) {
  Pipe pipe = make_pipe();
  program.file = "/bin/sh";
  program.arguments = {"-c", script};
  program.descriptors = {{to, pipe.write.number()}};
  const pid_t id = spawn(program);
  pipe.write.close();
  std::string text;
  std::array<char, 256> piece{};
  for (ssize_t got = 0; (got = ::read(pipe.read.number(), piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(got));
  ::waitpid(id, nullptr, 0);
  return text;
}

constexpr const char* kOpen =
    "open=; for f in 0 1 2 3 4 5 6 7 8 9; do test -e /proc/$$/fd/$f && open=$open$f; done; ";

TEST(Spawn, GivesTheDescriptorThatIsNamedAndNoOther) {
  const Descriptor ours(::open("/etc/hostname", O_RDONLY));  // Not marked close-on-exec.
  EXPECT_EQ(said_on(3, std::string(kOpen) + "echo $open >&3"), "0123\n");
  EXPECT_EQ(said_on(1, std::string(kOpen) + "echo $open"), "012\n");
  EXPECT_EQ(said_on(1, "readlink /proc/$$/fd/0 /proc/$$/fd/2"), "/dev/null\n/dev/null\n");
}

TEST(Spawn, MovesADescriptorOntoItsOwnNumber) {
  Pipe pipe = make_pipe();
  const int number = pipe.write.number();
  const Program program{.file = "/bin/sh",
                        .arguments = {"-c", "echo here >&" + std::to_string(number)},
                        .descriptors = {{number, number}}};
  const pid_t id = spawn(program);
  pipe.write.close();
  std::array<char, 16> text{};
  EXPECT_EQ(::read(pipe.read.number(), text.data(), text.size()), 5);
  ::waitpid(id, nullptr, 0);
}

TEST(Spawn, GivesTheEnvironmentAndTheDirectory) {
  Program program;
  program.environment = {"A=1"};
  program.directory = "/usr";
  EXPECT_EQ(said_on(1, "echo $A $HOME $PWD", program), "1 /usr\n");
}

// Of the signals that POSIX names; the C library has two of its own.
unsigned long signals_of(const std::string& status, const std::string& name) {
  constexpr unsigned long kNamed = (1UL << 31) - 1;
  return std::stoul(status.substr(status.find(name) + name.size()), nullptr, 16) & kNamed;
}

TEST(Spawn, StartsASessionWithTheSystemsSignals) {
  EXPECT_EQ(
      said_on(1,
              R"(read -r a b c d e session rest < /proc/$$/stat; test $session = $$ && echo own)"),
      "own\n");
  const auto before = ::signal(SIGUSR1, SIG_IGN);
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  const std::string status =
      said_on(1, "while read -r line; do echo $line; done < /proc/$$/status");
  ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  ::signal(SIGUSR1, before);
  EXPECT_EQ(signals_of(status, "SigBlk:"), 0U);
  EXPECT_EQ(signals_of(status, "SigIgn:"), 0U);
}

TEST(Spawn, SaysWhatCouldNotBeStarted) {
  try {
    spawn({.file = "/nowhere/program", .directory = "/usr", .shown = "it"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
    EXPECT_NE(error.message().find("`it` cannot be started in /usr"), std::string::npos);
  }
}

}  // namespace
}  // namespace hone::process
