#include "hone/memory/files_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "hone/base/error.h"
#include "hone/memory/testing.h"

namespace hone::memory {
namespace {

namespace fs = std::filesystem;

class FilesStoreTest : public testing::Test {
 protected:
  void open(std::size_t newest = 30) {
    store_.reset();
    store_ = open_lesson_files({.folder = folder_.path(), .newest = newest});
  }
  void add(const StoredLesson& made) { store_->add(std::span(&made, 1)); }
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((folder_.path() / path).parent_path());
    std::ofstream(folder_.path() / path, std::ios::binary) << text;
  }
  std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(folder_.path() / path).rdbuf();
    return text.str();
  }
  std::vector<std::string> names(const std::string& path) {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_.path() / path, none))
      found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }
  std::vector<std::string> texts(const Scope& scope = {}) {
    std::vector<std::string> shown;
    for (const StoredLesson& one : store_->list(scope))
      if (!one.forgotten) shown.push_back(one.text);
    return shown;
  }

  TestFolder folder_;
  std::unique_ptr<LessonStore> store_;
};

using Texts = std::vector<std::string>;

TEST_F(FilesStoreTest, FilesStandWhereTheProtocolSays) {
  open();
  add(lesson("API timeout handling.", 0, {.agent = "researcher-agent"}));
  add(lesson("API timeout handling!!", 0, {.agent = "other"}));
  add(lesson("Of another tenant.", 0, {.tenant = "acme", .agent = "me"}));
  EXPECT_EQ(names("reflections/researcher-agent"), Texts{"2025-11-22-api-timeout-handling.md"});
  EXPECT_EQ(names("tenants/acme/reflections/me"), Texts{"2025-11-22-of-another-tenant.md"});
}

TEST_F(FilesStoreTest, EqualNamesAreNumbered) {
  open();
  StoredLesson first = lesson("Check the status now and then.", 1);
  StoredLesson second = lesson("Check the status now and here.", 2);
  first.created = second.created = day(0);
  add(first);
  add(second);
  EXPECT_EQ(names("reflections/default"), (Texts{"2025-11-22-check-the-status-now-and-2.md",
                                                 "2025-11-22-check-the-status-now-and.md"}));
}

TEST_F(FilesStoreTest, TheNewestStayAndTheOthersAreArchivedByYear) {
  open(3);
  for (int number = 0; number < 6; ++number)
    add(lesson("Advice number " + std::to_string(number) + ".", number * 20));
  EXPECT_EQ(names("reflections/default").size(), 4U);
  EXPECT_EQ(names("reflections/default/archive/2025").size(), 2U);
  EXPECT_EQ(names("reflections/default/archive/2026").size(), 1U);
  EXPECT_EQ(texts(), (Texts{"Advice number 3.", "Advice number 4.", "Advice number 5."}));
}

TEST_F(FilesStoreTest, AFileTakenBackFromTheArchiveIsShownAgain) {
  open(1);
  add(lesson("Old advice.", 0));
  add(lesson("New advice.", 1));
  ASSERT_EQ(texts(), Texts{"New advice."});
  const std::string name = names("reflections/default/archive/2025").front();
  fs::rename(folder_.path() / "reflections/default/archive/2025" / name,
             folder_.path() / "reflections/default" / name);
  EXPECT_EQ(texts(), (Texts{"Old advice.", "New advice."}));
}

TEST_F(FilesStoreTest, WhatAPersonDoesIsTakenIn) {
  open();
  write("reflections/me/2026-03-01-note.md",
        "## Tactical rule candidate\nWait between requests.\n");
  EXPECT_EQ(texts({.agent = "me"}), Texts{"Wait between requests."});
  EXPECT_EQ(store_->list({.agent = "me"}).front().created, parse_iso8601("2026-03-01T00:00:00Z"));
  write("reflections/me/2026-03-01-note.md",
        "## Tactical rule candidate\nNever wait, they said.\n");
  EXPECT_EQ(texts({.agent = "me"}), Texts{"Never wait, they said."});
  fs::remove(folder_.path() / "reflections/me/2026-03-01-note.md");
  EXPECT_EQ(texts({.agent = "me"}), Texts());
}

TEST_F(FilesStoreTest, AnEditedFileKeepsItsLesson) {
  open();
  const StoredLesson made = lesson("Check the status.", 1);
  add(made);
  const std::string path = "reflections/default/" + names("reflections/default").front();
  std::string text = read(path);
  text.replace(text.find("Check the status.", text.find("## ")), 17,
               "Check the status and the body.");
  write(path, text);
  EXPECT_EQ(store_->list({}).front().text, "Check the status and the body.");
  EXPECT_EQ(store_->list({}).front().id, made.id);
}

TEST_F(FilesStoreTest, TheIndexIsMadeAgainFromTheFiles) {
  open();
  const StoredLesson made = lesson("Check the status.", 1);
  add(made);
  store_.reset();
  fs::remove_all(folder_.path() / ".index");
  open();
  EXPECT_EQ(store_->list({}), std::vector{made});
  add(made);
  EXPECT_EQ(names("reflections/default").size(), 1U);
}

TEST_F(FilesStoreTest, WhatCannotBeReadIsLeftAloneAndNamed) {
  open();
  write("reflections/me/2026-03-01-bytes.md", "\xff\xfe\xff");
  write("reflections/me/2026-13-45-date.md", "A fine lesson with a bad date.\n");
  write("reflections/me/empty.md", "");
  write("reflections/me/large.md", std::string(1 << 20, 'x'));
  write("reflections/me/half.md",
        "## Tactical rule candidate\nHalf a file\n\n<!-- hone {\"id\":\"0123");
  write("reflections/me/.hidden.md", "Hidden.");
  write("reflections/me/notes.txt", "No Markdown.");
  EXPECT_EQ(texts({.agent = "me"}).size(), 2U);
  ASSERT_EQ(store_->problems().size(), 3U);
  EXPECT_EQ(store_->problems()[0], "reflections/me/2026-03-01-bytes.md: the file is not UTF-8");
  EXPECT_EQ(names("reflections/me").size(), 7U);
}

TEST_F(FilesStoreTest, LinksOutOfTheFolderAreNotFollowed) {
  const TestFolder outside;
  std::ofstream(outside.path() / "a.md") << "Secret of elsewhere.\n";
  open();
  fs::create_directories(folder_.path() / "reflections/me");
  fs::create_directory_symlink(outside.path(), folder_.path() / "reflections/linked");
  fs::create_symlink(outside.path() / "a.md", folder_.path() / "reflections/me/a.md");
  EXPECT_TRUE(texts({.agent = std::nullopt}).empty());
  EXPECT_THROW(add(lesson("x y", 1, {.agent = "../up"})), Error);
}

TEST_F(FilesStoreTest, AThousandFilesAreReadOnce) {
  for (int number = 0; number < 1000; ++number) {
    write("reflections/me/2026-01-01-n" + std::to_string(number) + ".md",
          "Advice number " + std::to_string(number) + ".\n");
  }
  open();
  EXPECT_EQ(store_->count({.agent = "me"}), 1000);
  Revision revision = store_->changes("default", 0, "m", [](const ChangedLesson&) {});
  EXPECT_EQ(
      store_->changes("default", revision, "m",
                      [](const ChangedLesson& changed) { ADD_FAILURE() << changed.lesson.id; }),
      revision);
}

}  // namespace
}  // namespace hone::memory
