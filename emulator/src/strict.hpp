// The strict mode (engine option "emulator.strict", POPSNN_STRICT=1): compute sets run on one
// thread, vertex by vertex, and what hardware leaves undefined is poisoned or reported.
#pragma once

namespace poplar {
namespace emulator {

// What variables hold that nothing was written to. As a float -3.1e16, as a half -251.25.
constexpr int kPoison = 0xDB;

}  // namespace emulator
}  // namespace poplar
