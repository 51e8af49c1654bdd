#ifndef popart_op_scaledadd_hpp
#define popart_op_scaledadd_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ScaledAddOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScaledAddOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ScaledAddOp")) {}
  static InIndex getArg0InIndex() { return 0; }
  static InIndex getArg1InIndex() { return 1; }
  static InIndex getScale0InIndex() { return 2; }
  static InIndex getScale1InIndex() { return 3; }
  static OutIndex getOutIndex() { return 0; }
  float getScale0() const { emulator::missing("popart::ScaledAddOp::getScale0"); }
  float getScale1() const { emulator::missing("popart::ScaledAddOp::getScale1"); }

 protected:
  float scale_0;
  float scale_1;
};

class ScaledAddLhsInplaceOp : public ScaledAddOp {
 public:
  template <class... Args>
  explicit ScaledAddLhsInplaceOp(const Args&...)
      : ScaledAddOp(emulator::absent<const OperatorIdentifier>("popart::ScaledAddLhsInplaceOp")) {}
};

class ScaledAddRhsInplaceOp : public ScaledAddOp {
 public:
  template <class... Args>
  explicit ScaledAddRhsInplaceOp(const Args&...)
      : ScaledAddOp(emulator::absent<const OperatorIdentifier>("popart::ScaledAddRhsInplaceOp")) {}
};

}  // namespace popart

#endif  // popart_op_scaledadd_hpp
