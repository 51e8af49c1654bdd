#ifndef popart_op_lstmutil_hpp
#define popart_op_lstmutil_hpp

#include <iostream>
#include <popart/emulator/absent.hpp>
#include <string>

namespace popart {

enum class ActivationFunction {
  Sigmoid = 0,
  Relu,
  Tanh,
  Gelu,
  GeluErf,
  Swish,
  Softmax,
  SoftmaxStable,
  SoftmaxScaled,
  N,
  Invalid
};

inline ActivationFunction fromString(const std::string&) {
  emulator::missing("popart::fromString");
}

inline std::ostream& operator<<(std::ostream&, const ActivationFunction&) {
  emulator::missing("popart::operator<<");
}

}  // namespace popart

#endif  // popart_op_lstmutil_hpp
