// The tracing that public poplibs sources call; it records nothing.
#pragma once
#include <cstddef>
#include <string>

namespace pvti {

struct TraceChannel {
  TraceChannel(const char*) {}
};

struct Metadata {};

struct Tracepoint {
  Tracepoint(TraceChannel*, const std::string&) {}
  Tracepoint(TraceChannel*, const char*, std::size_t, Metadata* = nullptr) {}
};

}  // namespace pvti
