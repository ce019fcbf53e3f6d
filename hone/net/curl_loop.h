// Drives transfers on the event loop that awaits them.
#pragma once

#include <memory>

#include "hone/async/async.h"
#include "hone/net/http_client.h"
#include "hone/net/transfer.h"

namespace hone::net {

// Runs the transfer to its end, whatever that is: see Transfer::take(). Terminal cancellation ends
// it early, as a failure of kind Cancelled. Each event loop keeps its own connections, which live
// as long as it does.
async<void> perform(std::shared_ptr<Transfer> transfer, long connections_per_host);

}  // namespace hone::net
