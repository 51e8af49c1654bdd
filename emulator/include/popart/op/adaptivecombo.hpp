#ifndef popart_op_adaptivecombo_hpp
#define popart_op_adaptivecombo_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class AdaptiveComboOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit AdaptiveComboOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::AdaptiveComboOp")) {}
  static int getLrInIndex() { return 2; }
  static int getWdInIndex() { return 3; }
  static int getAlphaInIndex() { return 4; }
  static int getMomentumInIndex() { return 5; }
  static int getEpsInIndex() { return 6; }
  static int getLsInIndex() { return 7; }
  static int getGsInIndex() { return 8; }
};

}  // namespace popart

#endif  // popart_op_adaptivecombo_hpp
