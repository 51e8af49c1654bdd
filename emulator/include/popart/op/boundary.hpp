#ifndef popart_op_boundary_hpp
#define popart_op_boundary_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>

namespace popart {

class BoundaryOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BoundaryOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BoundaryOp")) {}
};

}  // namespace popart

#endif  // popart_op_boundary_hpp
