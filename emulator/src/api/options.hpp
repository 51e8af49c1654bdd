// The options that engines, streams and devices take.
#pragma once
#include <poplar/OptionFlags.hpp>
#include <string>

namespace poplar {
namespace emulator {

// Runs that an Engine traces: those of program::Block and of other programs, by their names.
struct TraceOptions {
  std::string blocks, programs;  // regular expressions of names; empty: none
  unsigned tile = 0;             // of each IPU, whose buffer holds the trace
  size_t buffer_bytes = 1000;
  bool flushes = true;   // the buffer is emptied after an outermost block
  bool streams = false;  // stream copies are traced too

  bool any() const { return !blocks.empty() || !programs.empty(); }
};

struct EngineOptions {
  unsigned threads;              // that run vertices
  bool prefetch;                 // of stream callbacks
  bool profiles;                 // the profile will be asked for: find its costs at once
  bool retains_graph;            // it may be asked for when the graph is gone or has changed
  bool strict;                   // see strict.hpp
  std::string report_directory;  // where the Engine's report goes; empty: nowhere
  bool must_fit;                 // a tile that holds more than it has memory for is an error
  TraceOptions trace;
};

// Throws invalid_option for an option that no Engine has, or a value that it does not take. Options
// of the environment variables POPLAR_ENGINE_OPTIONS and POPLAR_RUNTIME_OPTIONS win.
EngineOptions parseEngineOptions(const OptionFlags& options);

// Of printProfileSummary.
bool showsExecutionSteps(const OptionFlags& options);

void checkStreamOptions(const OptionFlags& options);
void checkDeviceOptions(const char* operation, const OptionFlags& options);

}  // namespace emulator
}  // namespace poplar
