#ifndef popart_popx_op_collectives_collectivesx_hpp
#define popart_popx_op_collectives_collectivesx_hpp

#include <gcl/Collectives.hpp>
#include <popart/op/collectives/collectives.hpp>
#include <popart/popx/devicex.hpp>
#include <popart/popx/opx.hpp>

namespace popart {
namespace popx {

gcl::CollectiveOperator getPoplarCollectiveOperator(CollectiveOperator op);
gcl::CommGroup toGclCommGroup(const ReplicaGrouping& grouping);

class CollectivesBaseOpx : public Opx {
 public:
  CollectivesBaseOpx(Op* op, Devicex* devicex) : Opx(op, devicex) {}
};

class MultiCollectiveBaseOpx : public CollectivesBaseOpx {
 public:
  MultiCollectiveBaseOpx(Op* op, Devicex* devicex) : CollectivesBaseOpx(op, devicex) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_collectives_collectivesx_hpp
