#ifndef popart_op_reducelogsum_hpp
#define popart_op_reducelogsum_hpp

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
class ReduceLogSumOp : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceLogSumOp(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceLogSumOp")) {}
};

class ReduceLogSumGradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceLogSumGradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceLogSumGradOp")) {}
  static InIndex getFwdOutInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reducelogsum_hpp
