#include "hone/journal/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "hone/async/one_shot.h"
#include "hone/base/error.h"
#include "hone/journal/layout.h"
#include "hone/journal/record_table.h"
#include "hone/sqlite/transaction.h"

namespace hone::journal {
namespace {

sqlite::Database open(const JournalOptions& options) {
  auto database = sqlite::Database::open(
      {.path = options.path, .busy_timeout = options.busy_timeout, .page_size = kPageSize});
  sqlite::migrate(database, layout());
  check_tables(database);
  if (options.largest_size > 0) {
    const auto page = database.integer("PRAGMA page_size");
    database.execute(
        fmt::format("PRAGMA max_page_count={}", options.largest_size / page + 1).c_str());
  }
  return database;
}

// Records that are written in one transaction.
struct Batch {
  std::vector<Record> records;
  OneShot settled;
  // Set before `settled`:
  std::optional<Error> failure;
  std::set<std::string> refused;  // Runs that another process goes on with.
};

// Somebody waits to go on with a run.
struct Claim {
  std::string run;
  std::int64_t next = 0;
  bool settled = false;
  std::optional<Error> failure = {};
};

void throw_failure(const Batch& batch) {
  if (batch.failure) throw Error(*batch.failure);
}

}  // namespace

class Journal::Writer {
 public:
  explicit Writer(const JournalOptions& options)
      : linger_(options.linger),
        path_(options.path),
        sealer_(options.sealer),
        database_(open(options)),
        table_(database_, sealer_.get()),
        leases_(database_, options.lease) {
    thread_ = std::thread([this] { work(); });
  }

  ~Writer() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    leave_.notify_one();
    thread_.join();
    release_leases();
  }

  void claim(const std::string& run, std::int64_t next) {
    Claim claim{run, next};
    std::unique_lock lock(mutex_);
    claims_.push_back(&claim);
    wake_.notify_one();
    batch_settled_.wait(lock, [&] { return claim.settled; });
    if (claim.failure) throw Error(*claim.failure);
  }

  void append(Record record) {
    bool first = false;
    {
      const std::lock_guard lock(mutex_);
      first = next_->records.empty();
      next_->records.push_back(std::move(record));
    }
    if (first) wake_.notify_one();
  }

  // The batch whose end is the end of everything queued so far; null when all is written.
  std::shared_ptr<const Batch> last_batch() {
    std::shared_ptr<const Batch> last;
    {
      const std::lock_guard lock(mutex_);
      if (next_->records.empty() && !has_backlog_) return current_;
      wanted_ = true;
      ++waiting_;
      last = next_;
    }
    wake_.notify_one();
    return last;
  }

  void wait_for(const Batch& batch) {
    std::unique_lock lock(mutex_);
    batch_settled_.wait(lock, [&] { return batch.settled.is_set(); });
  }

  const std::string& path() const { return path_; }
  std::int64_t commits() const { return commits_; }

 private:
  void work() {
    while (const auto batch = take()) {
      for (Claim* claim : std::exchange(taken_claims_, {})) serve(*claim);
      write(*batch);
      settle(*batch);
    }
  }

  // Waits for something to write, or until it is time to tell that we are alive; null at the end.
  std::shared_ptr<Batch> take() {
    std::unique_lock lock(mutex_);
    const auto is_urgent = [this] { return stopping_ || wanted_ || !claims_.empty(); };
    wake_.wait_for(lock, leases_.interval(),
                   [&] { return is_urgent() || !next_->records.empty(); });
    if (!is_urgent() && !next_->records.empty()) wake_.wait_for(lock, linger_, is_urgent);
    // Where many write, others are about to ask as well: one moment saves most of the writes.
    if (company_ > 1) leave_.wait_for(lock, company_wait_, [this] { return stopping_; });
    taken_claims_ = std::exchange(claims_, {});
    const bool nothing = next_->records.empty() && !has_backlog_ && taken_claims_.empty();
    if (stopping_ && (nothing || std::exchange(last_try_, true))) return nullptr;
    current_ = std::exchange(next_, std::make_shared<Batch>());
    company_ = std::exchange(waiting_, 0);
    wanted_ = has_backlog_ = false;
    return current_;
  }

  void write(Batch& batch) {
    std::ranges::move(batch.records, std::back_inserter(backlog_));
    if (backlog_.empty() && !leases_.is_due()) return;
    try {
      sqlite::Transaction transaction(database_);
      see_what_others_changed();
      if (leases_.is_due()) leases_.beat();
      for (const Record& record : backlog_) add(record);
      for (std::string& run : table_.write()) refused_.insert(std::move(run));
      transaction.commit();
      ++commits_;
      backlog_.clear();
    } catch (...) {
      batch.failure = to_error(std::current_exception());
      forget();
    }
    batch.refused = refused_;
  }

  void forget() {
    table_.forget();
    leases_.forget();
  }

  // Another process may have taken runs over, or removed some, and texts with them.
  void see_what_others_changed() {
    const std::int64_t version = database_.integer("PRAGMA data_version");
    if (std::exchange(data_version_, version) == version) return;
    leases_.look_again();
    const std::int64_t generation = database_.integer("SELECT number FROM generation");
    if (std::exchange(generation_, generation) != generation) table_.forget();
  }

  void add(const Record& record) {
    if (refused_.contains(record.run)) return;
    if (!is_ours(record) || !table_.add(record)) {
      refused_.insert(record.run);
      return;
    }
    const std::int64_t number = *table_.number_of(record.run);
    if (record.kind == Kind::Header) leases_.take(number, record.run);
    if (record.path == "run_finished") leases_.release(number);
  }

  bool is_ours(const Record& record) {
    if (record.kind == Kind::Header) return true;
    const auto number = table_.number_of(record.run);
    return number && leases_.holds(*number);
  }

  void serve(Claim& claim) {
    try {
      sqlite::Transaction transaction(database_);
      see_what_others_changed();
      take_lease(claim);
      transaction.commit();
      refused_.erase(claim.run);
    } catch (...) {
      claim.failure = to_error(std::current_exception());
      forget();
    }
    const std::lock_guard lock(mutex_);
    claim.settled = true;
    batch_settled_.notify_all();
  }

  void take_lease(const Claim& claim) {
    const auto number = table_.number_of(claim.run);
    if (!number) {
      throw Error(ErrorKind::NotFound, fmt::format("there is no run `{}`", claim.run),
                  "see `hone list`");
    }
    leases_.take(*number, claim.run);
    table_.forget(claim.run);
    if (table_.next_sequence(*number) == claim.next) return;
    throw Error(ErrorKind::Unavailable,
                fmt::format("another process has gone on with run {} in the meantime", claim.run),
                "try again: see `hone show` for how far it came");
  }

  // Others need not wait until the leases end by themselves.
  void release_leases() {
    if (!leases_.any()) return;
    try {
      sqlite::Transaction transaction(database_);
      leases_.release_all();
      transaction.commit();
    } catch (const Error&) {
      // They end by themselves.
    }
  }

  void settle(const Batch& batch) {
    {
      const std::lock_guard lock(mutex_);
      current_.reset();
      has_backlog_ = !backlog_.empty();
      batch.settled.set();
    }
    batch_settled_.notify_all();
  }

  const std::chrono::milliseconds linger_;
  const std::chrono::microseconds company_wait_{500};
  const std::string path_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable leave_;  // Ends the wait for company, which new records do not.
  std::condition_variable batch_settled_;
  std::shared_ptr<Batch> next_ = std::make_shared<Batch>();
  std::shared_ptr<Batch> current_;  // Being written.
  bool wanted_ = false;             // Somebody waits for `next_`.
  std::size_t waiting_ = 0;         // So many do.
  std::size_t company_ = 0;         // So many waited for `current_`.
  std::vector<Claim*> claims_;
  bool has_backlog_ = false;
  bool stopping_ = false;
  bool last_try_ = false;
  std::atomic<std::int64_t> commits_ = 0;
  const std::shared_ptr<Sealer> sealer_;
  // Of the thread:
  sqlite::Database database_;
  RecordTable table_;
  Leases leases_;
  std::vector<Claim*> taken_claims_;
  std::int64_t generation_ = 0;
  std::int64_t data_version_ = 0;  // Changes when another connection commits.
  std::vector<Record> backlog_;    // Failed to be written so far, or being written.
  std::set<std::string> refused_;
  std::thread thread_;
};

Journal::Journal(const JournalOptions& options) : writer_(std::make_unique<Writer>(options)) {}
Journal::~Journal() = default;

void Journal::claim(const std::string& run, std::int64_t next) { writer_->claim(run, next); }
void Journal::append(Record record) { writer_->append(std::move(record)); }

async<void> Journal::durable(std::string run) {
  const auto batch = writer_->last_batch();
  if (batch == nullptr) co_return;
  co_await batch->settled.wait();
  throw_failure(*batch);
  if (!batch->refused.contains(run)) co_return;
  throw Error(ErrorKind::Unavailable,
              fmt::format("run {} is no longer ours: another process goes on with it", run),
              "see `hone list`");
}

void Journal::flush() {
  const auto batch = writer_->last_batch();
  if (batch == nullptr) return;
  writer_->wait_for(*batch);
  throw_failure(*batch);
}

const std::string& Journal::path() const { return writer_->path(); }
std::int64_t Journal::commits() const { return writer_->commits(); }

}  // namespace hone::journal
