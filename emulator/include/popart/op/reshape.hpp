#ifndef popart_op_reshape_hpp
#define popart_op_reshape_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/graphcoreoperators.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/region.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

class ReshapeBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ReshapeBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ReshapeBaseOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  void setOutShape(const Shape&) { emulator::missing("popart::ReshapeBaseOp::setOutShape"); }
  const Shape& getOutShape() const { emulator::missing("popart::ReshapeBaseOp::getOutShape"); }

 protected:
  Shape outShape;
  void finaliseShape() { emulator::missing("popart::ReshapeBaseOp::finaliseShape"); }
};

class ReshapeOp : public ReshapeBaseOp {
 public:
  template <class... Args>
  explicit ReshapeOp(const Args&...)
      : ReshapeBaseOp(emulator::absent<const OperatorIdentifier>("popart::ReshapeOp")) {}
};

class ReshapeInplaceOp : public ReshapeBaseOp {
 public:
  template <class... Args>
  explicit ReshapeInplaceOp(const Args&...)
      : ReshapeBaseOp(emulator::absent<const OperatorIdentifier>("popart::ReshapeInplaceOp")) {}
};

class ReshapeGradOp : public ReshapeOp {
 public:
  template <class... Args>
  explicit ReshapeGradOp(const Args&...)
      : ReshapeOp(emulator::absent<const OperatorIdentifier>("popart::ReshapeGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_reshape_hpp
