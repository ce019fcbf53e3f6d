#include "hone/process/cancellable.h"

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/this_coro.hpp>
#include <memory>
#include <utility>

namespace hone::process {

async<void> run_cancellable(WorkerPool& pool,
                            std::function<void(const Descriptor& cancelled)> work) {
  const auto pipe = std::make_shared<Pipe>(make_pipe());
  const auto cancel = [weak = std::weak_ptr(pipe)](boost::asio::cancellation_type) {
    if (const auto open = weak.lock()) open->write.close();
  };
  const auto cancellation = co_await boost::asio::this_coro::cancellation_state;
  auto slot = cancellation.slot();
  if (slot.is_connected()) slot.assign(cancel);
  if (cancellation.cancelled() != boost::asio::cancellation_type::none) pipe->write.close();
  const auto run = [pipe, work = std::move(work)] { work(pipe->read); };
  co_await pool.run(run);
  slot.clear();
}

}  // namespace hone::process
