#ifndef popart_op_leakyrelu_hpp
#define popart_op_leakyrelu_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class LeakyReluOpBaseAttributes {
 public:
  LeakyReluOpBaseAttributes(float) { emulator::missing("popart::LeakyReluOpBaseAttributes"); }
  float getAlpha() const { emulator::missing("popart::LeakyReluOpBaseAttributes::getAlpha"); }
};

class LeakyReluOp : public ElementWiseUnaryOp, public LeakyReluOpBaseAttributes {
 public:
  template <class... Args>
  explicit LeakyReluOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::LeakyReluOp"),
                           emulator::absent<const Op::Settings>("popart::LeakyReluOp")) {}
};

class LeakyReluInplaceOp : public ElementWiseInplaceUnaryOp, public LeakyReluOpBaseAttributes {
 public:
  template <class... Args>
  explicit LeakyReluInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::LeakyReluInplaceOp"),
            emulator::absent<const Op::Settings>("popart::LeakyReluInplaceOp")) {}
};

class LeakyReluGradOp : public emulator::AbsentOp, public LeakyReluOpBaseAttributes {
 public:
  template <class... Args>
  explicit LeakyReluGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LeakyReluGradOp")) {}
  static InIndex getLeakyReluInIndex() { return 1; }
  static InIndex getGradLeakyReluInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_leakyrelu_hpp
