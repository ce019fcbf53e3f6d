#include "hone/async/group.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace hone {
namespace {

struct Lane {
  std::size_t next = 0;
  std::size_t count = 0;
  std::function<async<void>(std::size_t)> start;
  std::exception_ptr first_failure;
};

async<void> run_lane(std::shared_ptr<Lane> lane) {
  while (lane->next < lane->count) {
    const std::size_t index = lane->next++;
    try {
      co_await lane->start(index);
    } catch (...) {
      // The lanes that a failure cancels fail as well: keep the cause.
      if (!lane->first_failure) lane->first_failure = std::current_exception();
      throw;
    }
  }
}

}  // namespace

async<void> for_each_index(std::size_t count, std::size_t at_once,
                           std::function<async<void>(std::size_t)> start) {
  if (count == 0) co_return;
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto lane = std::make_shared<Lane>();
  lane->count = count;
  lane->start = std::move(start);
  using Operation =
      decltype(boost::asio::co_spawn(executor, run_lane(lane), boost::asio::deferred));
  std::vector<Operation> lanes;
  for (std::size_t i = 0; i < std::clamp<std::size_t>(at_once, 1, count); ++i) {
    lanes.push_back(boost::asio::co_spawn(executor, run_lane(lane), boost::asio::deferred));
  }
  auto group = boost::asio::experimental::make_parallel_group(std::move(lanes));
  co_await group.async_wait(boost::asio::experimental::wait_for_one_error(),
                            boost::asio::use_awaitable);
  if (lane->first_failure) std::rethrow_exception(lane->first_failure);
}

}  // namespace hone
