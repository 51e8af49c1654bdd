#ifndef popart_op_pow2scalethencast_hpp
#define popart_op_pow2scalethencast_hpp

#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class Pow2ScaleThenCastOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit Pow2ScaleThenCastOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::Pow2ScaleThenCastOp")) {}
  static InIndex getInIndex() { return 0; }
  static InIndex getlog2ScaleInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
  DataType toDataType() const { emulator::missing("popart::Pow2ScaleThenCastOp::toDataType"); }
};

}  // namespace popart

#endif  // popart_op_pow2scalethencast_hpp
