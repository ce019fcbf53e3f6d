// The coroutine type of hone.
//
// An async<T> is lazy: it runs when it is awaited. Await it, or hold it in a group of the same
// scope; never detach it. In a statement that contains co_await write no braces, no lambdas and no
// structured bindings: g++ 12 destroys such temporaries twice.
#pragma once

#include <boost/asio/awaitable.hpp>

namespace hone {

template <class T = void>
using async = boost::asio::awaitable<T>;

}  // namespace hone
