#ifndef popart_op_castthenpow2scale_hpp
#define popart_op_castthenpow2scale_hpp

#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class CastThenPow2ScaleOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CastThenPow2ScaleOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::CastThenPow2ScaleOp")) {}
  static InIndex getInIndex() { return 0; }
  static InIndex getlog2ScaleInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
  DataType toDataType() const { emulator::missing("popart::CastThenPow2ScaleOp::toDataType"); }
};

}  // namespace popart

#endif  // popart_op_castthenpow2scale_hpp
