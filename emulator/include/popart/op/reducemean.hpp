#ifndef popart_op_reducemean_hpp
#define popart_op_reducemean_hpp

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
class ReduceMeanOp : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceMeanOp(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMeanOp")) {}
};

class ReduceMeanGradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceMeanGradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceMeanGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_reducemean_hpp
