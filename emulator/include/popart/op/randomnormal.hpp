#ifndef popart_op_randomnormal_hpp
#define popart_op_randomnormal_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/randombase.hpp>

namespace popart {

class RandomNormalOp : public RandomNormalBaseOp {
 public:
  template <class... Args>
  explicit RandomNormalOp(const Args&...)
      : RandomNormalBaseOp(emulator::absent<const OperatorIdentifier>("popart::RandomNormalOp")) {}
};

class RandomNormalLikeOp : public RandomNormalBaseOp {
 public:
  template <class... Args>
  explicit RandomNormalLikeOp(const Args&...)
      : RandomNormalBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::RandomNormalLikeOp")) {}
  static int getInIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_randomnormal_hpp
