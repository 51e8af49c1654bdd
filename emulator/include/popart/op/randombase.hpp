#ifndef popart_op_randombase_hpp
#define popart_op_randombase_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/shapeorlike.hpp>

namespace popart {

class RandomBaseOp : public ShapeOrLikeOp {
 public:
  template <class... Args>
  explicit RandomBaseOp(const Args&...)
      : ShapeOrLikeOp(emulator::absent<const OperatorIdentifier>("popart::RandomBaseOp")) {}
};

class RandomNormalBaseOp : public RandomBaseOp {
 public:
  template <class... Args>
  explicit RandomNormalBaseOp(const Args&...)
      : RandomBaseOp(emulator::absent<const OperatorIdentifier>("popart::RandomNormalBaseOp")) {}
};

class RandomUniformBaseOp : public RandomBaseOp {
 public:
  template <class... Args>
  explicit RandomUniformBaseOp(const Args&...)
      : RandomBaseOp(emulator::absent<const OperatorIdentifier>("popart::RandomUniformBaseOp")) {}
};

}  // namespace popart

#endif  // popart_op_randombase_hpp
