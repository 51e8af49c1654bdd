// The options that engines and streams take.
#pragma once
#include <poplar/OptionFlags.hpp>

namespace poplar {
namespace emulator {

struct EngineOptions {
  unsigned threads;  // that run vertices
};

// Throws invalid_option for an option that no Engine has, or a value that it does not take.
EngineOptions parseEngineOptions(const OptionFlags& options);

void checkStreamOptions(const OptionFlags& options);
void checkNoOptions(const char* operation, const OptionFlags& options);

}  // namespace emulator
}  // namespace poplar
