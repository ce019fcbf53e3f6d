// Writes records to the store, many runs at once, and tells when they are safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "hone/async/async.h"
#include "hone/journal/lease.h"
#include "hone/journal/log.h"
#include "hone/journal/seal.h"

namespace hone::journal {

struct JournalOptions {
  std::string path;  // The file of the store; made if it does not exist.
  // How long records that nobody waits for may wait for company. A crash loses no more than that.
  std::chrono::milliseconds linger{2};
  // The largest size of the file in bytes; 0 does not limit it.
  std::int64_t largest_size = 0;
  // How long to wait while another process writes.
  std::chrono::milliseconds busy_timeout = std::chrono::seconds(5);
  LeaseOptions lease;
  // Keeps what was taken out of texts, sealed. Null keeps none of it: such runs cannot be resumed,
  // and a replay shows placeholders.
  std::shared_ptr<Sealer> sealer;
};

// A thread of its own writes. Whatever was queued while it wrote goes into its next transaction
// together, so that many runs share one write to the disk.
//
// When a write fails, those who wait for it are told, and the records stay queued and are tried
// again with the next ones: a full disk that gets room again loses nothing.
// A run belongs to the Journal that began or claimed it, see lease.h. What another one has taken
// over is refused. Threads: any. Two processes may have the same store open.
class Journal final : public Log {
 public:
  // Throws what sqlite::Database::open and sqlite::migrate throw.
  explicit Journal(const JournalOptions& options);
  // Writes what is left, once.
  ~Journal() override;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void claim(const std::string& run, std::int64_t next) override;
  void append(Record record) override;
  async<void> durable(std::string run) override;
  // As durable(), for ordinary code and all runs.
  void flush();

  const std::string& path() const;
  // How often records were written to the disk so far.
  std::int64_t commits() const;

 private:
  class Writer;
  std::unique_ptr<Writer> writer_;
};

}  // namespace hone::journal
