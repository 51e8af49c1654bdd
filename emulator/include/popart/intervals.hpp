#ifndef popart_intervals_hpp
#define popart_intervals_hpp

#include <array>
#include <cstdint>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

inline std::vector<std::array<int, 2>> getDecreasingIntervals(int) {
  emulator::missing("popart::getDecreasingIntervals");
}

inline std::vector<std::array<int, 2>> getDecreasingIntervals(const std::vector<int64_t>&) {
  emulator::missing("popart::getDecreasingIntervals");
}

}  // namespace popart

#endif  // popart_intervals_hpp
