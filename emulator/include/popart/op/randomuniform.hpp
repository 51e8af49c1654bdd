#ifndef popart_op_randomuniform_hpp
#define popart_op_randomuniform_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/randombase.hpp>

namespace popart {

class RandomUniformOp : public RandomUniformBaseOp {
 public:
  template <class... Args>
  explicit RandomUniformOp(const Args&...)
      : RandomUniformBaseOp(emulator::absent<const OperatorIdentifier>("popart::RandomUniformOp")) {
  }
};

class RandomUniformLikeOp : public RandomUniformBaseOp {
 public:
  template <class... Args>
  explicit RandomUniformLikeOp(const Args&...)
      : RandomUniformBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::RandomUniformLikeOp")) {}
  static int getInIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_randomuniform_hpp
