// Stores that several processes write to, some of which are killed.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <set>

#include "hone/base/error.h"
#include "hone/memory/lesson_folder.h"
#include "hone/memory/store_testing.h"

namespace hone::memory {
namespace {

namespace fs = std::filesystem;

// A process that runs `work`; ended, if need be, with the object.
class Child {
 public:
  // `work` tells with report() how far it is.
  explicit Child(const std::function<void(const std::function<void()>&)>& work) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw Error(ErrorKind::Internal, "no pipe");
    id_ = fork();
    if (id_ == 0) {
      close(ends[0]);
      int status = 0;
      try {
        work([&] { [[maybe_unused]] const auto told = write(ends[1], ".", 1); });
      } catch (const std::exception&) {
        status = 1;
      }
      _exit(status);
    }
    close(ends[1]);
    reports_ = ends[0];
  }
  ~Child() {
    if (id_ > 0) kill();
    close(reports_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Returns when so many reports have come, or the process has ended.
  int wait_for_reports(int count) {
    char report = 0;
    while (reported_ < count && read(reports_, &report, 1) == 1) ++reported_;
    return reported_;
  }
  void kill() {
    ::kill(id_, SIGKILL);
    end();
  }
  int end() {
    int status = 0;
    waitpid(std::exchange(id_, 0), &status, 0);
    return status;
  }

 private:
  pid_t id_ = 0;
  int reports_ = -1;
  int reported_ = 0;
};

template <class Kept>
class Processes : public testing::Test {
 protected:
  // How many files of lessons there are; 0 for stores without files.
  int files() {
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(kept_.folder.path()))
      count += entry.path().extension() == ".md" ? 1 : 0;
    return count;
  }
  static constexpr bool kHasFiles = std::is_same_v<Kept, InFiles>;

  Kept kept_;
};

TYPED_TEST_SUITE(Processes, SharedStores);

StoredLesson numbered(int number) {
  return lesson("Lesson number " + std::to_string(number) + ".", number);
}

// Each life goes on from the first lesson, as a resumed run does.
TYPED_TEST(Processes, AKilledWriterLosesNothingItReportedAndDoublesNothing) {
  constexpr int kLessons = 40;
  const auto write_all = [this](const std::function<void()>& report) {
    const auto store = this->kept_.open();
    for (int number = 0; number < kLessons; ++number) {
      const StoredLesson made = numbered(number);
      store->add(std::span(&made, 1));
      report();
    }
  };
  int reported = 0;
  for (int life = 1; life <= 8; ++life) {
    Child child(write_all);
    reported = std::max(reported, child.wait_for_reports(life * 4));
    child.kill();
    const auto store = this->kept_.open();
    const auto count = static_cast<int>(store->count({}));
    EXPECT_GE(count, reported);
    if (this->kHasFiles) EXPECT_EQ(this->files(), count);
  }
  Child last(write_all);
  EXPECT_EQ(last.wait_for_reports(kLessons), kLessons);
  EXPECT_EQ(last.end(), 0);
  const auto store = this->kept_.open();
  std::set<std::string> texts;
  for (const StoredLesson& one : store->list({})) {
    EXPECT_TRUE(texts.insert(one.text).second) << one.text;
    EXPECT_EQ(one.merged, 0);
  }
  EXPECT_EQ(texts.size(), kLessons);
  if (this->kHasFiles) EXPECT_EQ(this->files(), kLessons);
}

TYPED_TEST(Processes, TwoWritersLoseNothingAndShareWhatSaysTheSame) {
  constexpr int kOwn = 15;
  constexpr int kCommon = 10;
  const auto write = [this](int who) {
    return [this, who](const std::function<void()>& report) {
      const auto store = this->kept_.open();
      for (int number = 0; number < kOwn + kCommon; ++number) {
        const bool common = number >= kOwn;
        const std::string text = common ? "Common " + std::to_string(number)
                                        : std::to_string(who) + " alone " + std::to_string(number);
        const StoredLesson made = lesson(text, who * 1000 + number);
        store->add(std::span(&made, 1));
        report();
      }
    };
  };
  {
    Child one(write(1));
    Child two(write(2));
    EXPECT_EQ(one.wait_for_reports(kOwn + kCommon), kOwn + kCommon);
    EXPECT_EQ(two.wait_for_reports(kOwn + kCommon), kOwn + kCommon);
    EXPECT_EQ(one.end() + two.end(), 0);
  }
  const auto store = this->kept_.open();
  const auto lessons = store->list({});
  EXPECT_EQ(lessons.size(), 2U * kOwn + kCommon);
  for (const StoredLesson& one : lessons)
    EXPECT_EQ(one.merged, one.text.starts_with("Common") ? 1 : 0) << one.text;
  if (this->kHasFiles) EXPECT_EQ(this->files(), 2 * kOwn + kCommon);
}

TEST(FolderLocks, AreWaitedForSoLongAtMost) {
  const TestFolder folder;
  const std::string file = (folder.path() / "lock").string();
  const FolderLock held(file);
  try {
    const FolderLock other(file, std::chrono::milliseconds(1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unavailable);
    EXPECT_NE(error.message().find("another process holds"), std::string::npos);
  }
}

}  // namespace
}  // namespace hone::memory
