#ifndef popart_op_collectives_allreduce_hpp
#define popart_op_collectives_allreduce_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <popart/tensorlocation.hpp>
#include <set>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class AllReduceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AllReduceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::AllReduceOp")) {}
  static InIndex getInStartIndex() { return 0; }
  static OutIndex getOutStartIndex() { return 0; }
  CollectiveOperator getReduceOp() const { emulator::missing("popart::AllReduceOp::getReduceOp"); }
  bool getIdenticalInputs() const { emulator::missing("popart::AllReduceOp::getIdenticalInputs"); }
  std::vector<int64_t> getIpus() const { emulator::missing("popart::AllReduceOp::getIpus"); }
};

class AllReduceGradOp : public AllReduceOp {
 public:
  template <class... Args>
  explicit AllReduceGradOp(const Args&...)
      : AllReduceOp(emulator::absent<const OperatorIdentifier>("popart::AllReduceGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_collectives_allreduce_hpp
