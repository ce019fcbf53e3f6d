// All or nothing: what is written in a transaction is there after commit(), whole, or not at all.
#pragma once

#include "hone/sqlite/database.h"

namespace hone::sqlite {

// Begins at once with the write lock (BEGIN IMMEDIATE), so that no two writers wait for each other
// in a circle. Rolls back unless commit() was called. Transactions do not nest.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Returns when everything is on the disk.
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace hone::sqlite
