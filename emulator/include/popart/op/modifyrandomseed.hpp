#ifndef popart_op_modifyrandomseed_hpp
#define popart_op_modifyrandomseed_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensornames.hpp>
#include <string>

namespace popart {

struct OperatorIdentifier;
class ModifyRandomSeedOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ModifyRandomSeedOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ModifyRandomSeedOp")) {}
  static InIndex getSeedModifierInIndex() { return 1; }
  static OutIndex getModifiedSeedOutIndex() { return 0; }
  static TensorId getSeedInTensorId() {
    emulator::missing("popart::ModifyRandomSeedOp::getSeedInTensorId");
  }
  static TensorId getSeedModifierTensorId(const uint32_t) {
    emulator::missing("popart::ModifyRandomSeedOp::getSeedModifierTensorId");
  }
  static TensorId getModifiedSeedTensorId(const uint32_t) {
    emulator::missing("popart::ModifyRandomSeedOp::getModifiedSeedTensorId");
  }
};

}  // namespace popart

#endif  // popart_op_modifyrandomseed_hpp
