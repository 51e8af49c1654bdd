#ifndef popart_op_reducel2_hpp
#define popart_op_reducel2_hpp

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
class ReduceL2Op : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceL2Op(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceL2Op")) {}
};

class ReduceL2GradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceL2GradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceL2GradOp")) {}
  static InIndex getFwdInInIndex() { return 1; }
  static InIndex getFwdOutInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_reducel2_hpp
