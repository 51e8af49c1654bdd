#ifndef popart_op_reducelogsumexp_hpp
#define popart_op_reducelogsumexp_hpp

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
class ReduceLogSumExpOp : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceLogSumExpOp(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceLogSumExpOp")) {}
};

class ReduceLogSumExpGradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceLogSumExpGradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceLogSumExpGradOp")) {}
  static InIndex getFwdInInIndex() { return 1; }
  static InIndex getFwdOutInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_reducelogsumexp_hpp
