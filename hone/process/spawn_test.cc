#include "hone/process/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

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

TEST(Spawn, GivesTheDescriptorThatIsNamedAndNoOther) {
  const Descriptor ours(::open("/etc/hostname", O_RDONLY));  // Not marked close-on-exec.
  EXPECT_EQ(said_on(3, "ls /proc/$$/fd | tr '\\n' ' ' >&3"), "0 1 2 3 ");
  EXPECT_EQ(said_on(1, "readlink /proc/$$/fd/0 /proc/$$/fd/2"), "/dev/null\n/dev/null\n");
  EXPECT_EQ(said_on(1, "ls /proc/$$/fd | tr '\\n' ' '"), "0 1 2 ");
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

TEST(Spawn, StartsASessionWithTheSystemsSignals) {
  EXPECT_EQ(said_on(1, "cut -d' ' -f6 /proc/$$/stat | grep -c \"^$$\\$\""), "1\n");
  EXPECT_EQ(said_on(1, "grep -c 'Sig\\(Blk\\|Ign\\):.*[^0]$' /proc/$$/status"), "0\n");
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
