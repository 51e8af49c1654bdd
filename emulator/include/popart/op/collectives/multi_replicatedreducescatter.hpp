#ifndef popart_op_collectives_multi_replicatedreducescatter_hpp
#define popart_op_collectives_multi_replicatedreducescatter_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class MultiReplicatedReduceScatterOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MultiReplicatedReduceScatterOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiReplicatedReduceScatterOp")) {}
};

}  // namespace popart

#endif  // popart_op_collectives_multi_replicatedreducescatter_hpp
