#ifndef popart_broadcastutil_hpp
#define popart_broadcastutil_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <vector>

namespace popart {

template <typename T>
std::vector<T> padShape(const std::vector<T>&, size_t, T) {
  emulator::missing("popart::padShape");
}

template <typename T>
std::vector<T> unpadShape(const std::vector<T>&, size_t) {
  emulator::missing("popart::unpadShape");
}

}  // namespace popart

#endif  // popart_broadcastutil_hpp
