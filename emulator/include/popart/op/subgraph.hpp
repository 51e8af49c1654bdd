#ifndef popart_op_subgraph_hpp
#define popart_op_subgraph_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class SubgraphOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SubgraphOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SubgraphOp")) {}
};

}  // namespace popart

#endif  // popart_op_subgraph_hpp
