#ifndef popart_op_rmspropupdater_hpp
#define popart_op_rmspropupdater_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class RMSPropUpdaterOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit RMSPropUpdaterOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::RMSPropUpdaterOp")) {
  }
  static int getGradInIndex() { return 0; }
  static int getAccl1InIndex() { return 1; }
  static int getAccl2InIndex() { return 2; }
  static int getEpsInIndex() { return 3; }
  static int getUpdaterOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_rmspropupdater_hpp
