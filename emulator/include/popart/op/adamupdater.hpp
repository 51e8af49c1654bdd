#ifndef popart_op_adamupdater_hpp
#define popart_op_adamupdater_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class AdamUpdaterOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit AdamUpdaterOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::AdamUpdaterOp")) {}
  static int getVarInIndex() { return 0; }
  static int getAccl1InIndex() { return 1; }
  static int getAccl2InIndex() { return 2; }
  static int getStepInIndex() { return 3; }
  static int getWdInIndex() { return 4; }
  static int getBeta1InIndex() { return 5; }
  static int getBeta2InIndex() { return 6; }
  static int getEpsInIndex() { return 7; }
  static int getUpdaterOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_adamupdater_hpp
