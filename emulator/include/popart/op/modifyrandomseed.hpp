#ifndef popart_op_modifyrandomseed_hpp
#define popart_op_modifyrandomseed_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class ModifyRandomSeedOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ModifyRandomSeedOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ModifyRandomSeedOp")) {}
  static int getSeedModifierInIndex() { return 1; }
  static int getModifiedSeedOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_modifyrandomseed_hpp
