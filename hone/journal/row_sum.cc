#include "hone/journal/row_sum.h"

#include "hone/base/digest.h"

namespace hone::journal {

RowSum& RowSum::add(std::string_view column) {
  add(static_cast<std::int64_t>(column.size()));
  columns_ += column;
  return *this;
}

RowSum& RowSum::add(std::int64_t column) {
  columns_.append(reinterpret_cast<const char*>(&column), sizeof column);
  return *this;
}

std::int64_t RowSum::value() const { return short_sha256(columns_); }

}  // namespace hone::journal
