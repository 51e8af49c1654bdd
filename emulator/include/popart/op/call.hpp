#ifndef popart_op_call_hpp
#define popart_op_call_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/subgraph.hpp>

namespace popart {

class CallOp : public SubgraphOp {
 public:
  template <class... Args>
  explicit CallOp(const Args&...)
      : SubgraphOp(emulator::absent<const OperatorIdentifier>("popart::CallOp")) {}
};

class CallGradOp : public CallOp {
 public:
  template <class... Args>
  explicit CallGradOp(const Args&...)
      : CallOp(emulator::absent<const OperatorIdentifier>("popart::CallGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_call_hpp
