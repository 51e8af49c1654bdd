#ifndef popart_op_reducel1_hpp
#define popart_op_reducel1_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/reduce.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ReduceL1Op : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceL1Op(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceL1Op")) {}
};

class ReduceL1GradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceL1GradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceL1GradOp")) {}
  static InIndex getFwdInInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reducel1_hpp
