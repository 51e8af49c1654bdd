#ifndef popart_op_reducemax_hpp
#define popart_op_reducemax_hpp

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
class ReduceMaxOp : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceMaxOp(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMaxOp")) {}
};

class ReduceMaxGradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceMaxGradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMaxGradOp")) {}
  static InIndex getFwdInInIndex() { return 1; }
  static InIndex getFwdOutInIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_reducemax_hpp
