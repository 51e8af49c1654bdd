#ifndef popart_op_reduceprod_hpp
#define popart_op_reduceprod_hpp

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
class ReduceProdOp : public ReduceOp {
 public:
  template <class... Args>
  explicit ReduceProdOp(const Args&...)
      : ReduceOp(emulator::absent<const OperatorIdentifier>("popart::ReduceProdOp")) {}
};

class ReduceProdGradOp : public ReduceGradOp {
 public:
  template <class... Args>
  explicit ReduceProdGradOp(const Args&...)
      : ReduceGradOp(emulator::absent<const OperatorIdentifier>("popart::ReduceProdGradOp")) {}
  static InIndex getFwdInInIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_reduceprod_hpp
