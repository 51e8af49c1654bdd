// The options that engines, streams and devices take.
#pragma once
#include <poplar/OptionFlags.hpp>

namespace poplar {
namespace emulator {

struct EngineOptions {
  unsigned threads;  // that run vertices
  bool prefetch;     // of stream callbacks
};

// Throws invalid_option for an option that no Engine has, or a value that it does not take. Options
// of the environment variable POPLAR_ENGINE_OPTIONS win.
EngineOptions parseEngineOptions(const OptionFlags& options);

void checkStreamOptions(const OptionFlags& options);
void checkDeviceOptions(const char* operation, const OptionFlags& options);

}  // namespace emulator
}  // namespace poplar
