#ifndef popart_op_adamcombo_hpp
#define popart_op_adamcombo_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class AdamComboOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit AdamComboOp(const Args&...)
      : VarUpdateWithUpdaterOp(emulator::absent<const OperatorIdentifier>("popart::AdamComboOp")) {}
  static int getLrInIndex() { return 2; }
  static int getWdInIndex() { return 3; }
  static int getBeta1InIndex() { return 4; }
  static int getBeta2InIndex() { return 5; }
  static int getEpsInIndex() { return 6; }
  static int getLsInIndex() { return 7; }
  static int getMwnInIndex() { return 8; }
  static int getGsInIndex() { return 9; }
};

}  // namespace popart

#endif  // popart_op_adamcombo_hpp
