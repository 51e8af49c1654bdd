#ifndef popart_op_reducesum_hpp
#define popart_op_reducesum_hpp

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
class ReduceSumOp : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceSumOp(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceSumOp")) {}
};

class ReduceSumGradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceSumGradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceSumGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_reducesum_hpp
