// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the bodies of Asio, Beast and Boost.JSON are compiled.
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
#include <boost/json/src.hpp>
