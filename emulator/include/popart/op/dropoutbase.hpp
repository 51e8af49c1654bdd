#ifndef popart_op_dropoutbase_hpp
#define popart_op_dropoutbase_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/randombase.hpp>

namespace popart {

class OpCreatorInfo;
struct OperatorIdentifier;
class DropoutBaseOp : public RandomBaseOp {
 public:
  template <class... Args>
  explicit DropoutBaseOp(const Args&...)
      : RandomBaseOp(emulator::absent<const OperatorIdentifier>("popart::DropoutBaseOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  float getRatio() const { emulator::missing("popart::DropoutBaseOp::getRatio"); }
  void setRatio(float) { emulator::missing("popart::DropoutBaseOp::setRatio"); }
  static float validateRatioAttribute(const OpCreatorInfo&) {
    emulator::missing("popart::DropoutBaseOp::validateRatioAttribute");
  }
};

}  // namespace popart

#endif  // popart_op_dropoutbase_hpp
