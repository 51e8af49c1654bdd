#ifndef popart_typefunctor_hpp
#define popart_typefunctor_hpp

#include <cstdint>
#include <map>
#include <popart/datatype.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/error.hpp>
#include <popart/half.hpp>
#include <popart/tensorinfo.hpp>
#include <typeinfo>
#include <utility>

namespace popart {
namespace typefunctor {

template <typename Functor, typename ReturnType, typename... Args>
ReturnType get(DataType, Args&&...) {
  emulator::missing("popart::typefunctor::get");
}

class Int64FromVoid {
 public:
  template <typename T>
  int64_t operator()(void*) {
    emulator::missing("popart::typefunctor::Int64FromVoid::operator()");
  }
};

}  // namespace typefunctor
}  // namespace popart

#endif  // popart_typefunctor_hpp
