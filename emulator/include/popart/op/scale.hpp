#ifndef popart_op_scale_hpp
#define popart_op_scale_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/elementwise.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ScaleOp : public ElementWiseUnaryOp {
 public:
  template <class... Args>
  explicit ScaleOp(const Args&...)
      : ElementWiseUnaryOp(emulator::absent<const OperatorIdentifier>("popart::ScaleOp"),
                           emulator::absent<const Op::Settings>("popart::ScaleOp")) {}
  void setScaleFactor(float) { emulator::missing("popart::ScaleOp::setScaleFactor"); }
  float getScaleFactor() const { emulator::missing("popart::ScaleOp::getScaleFactor"); }
};

class ScaleInplaceOp : public ElementWiseInplaceUnaryOp {
 public:
  template <class... Args>
  explicit ScaleInplaceOp(const Args&...)
      : ElementWiseInplaceUnaryOp(
            emulator::absent<const OperatorIdentifier>("popart::ScaleInplaceOp"),
            emulator::absent<const Op::Settings>("popart::ScaleInplaceOp")) {}
  float getScaleFactor() const { emulator::missing("popart::ScaleInplaceOp::getScaleFactor"); }
};

class ScaleGradOp : public ScaleOp {
 public:
  template <class... Args>
  explicit ScaleGradOp(const Args&...)
      : ScaleOp(emulator::absent<const OperatorIdentifier>("popart::ScaleGradOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_scale_hpp
