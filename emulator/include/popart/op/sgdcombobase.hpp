#ifndef popart_op_sgdcombobase_hpp
#define popart_op_sgdcombobase_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/varupdate.hpp>

namespace popart {

class SGDMComboBaseOp : public VarUpdateWithUpdaterOp {
 public:
  template <class... Args>
  explicit SGDMComboBaseOp(const Args&...)
      : VarUpdateWithUpdaterOp(
            emulator::absent<const OperatorIdentifier>("popart::SGDMComboBaseOp")) {}
  static int getSmm1InIndex() { return 2; }
  static int getDpsf1InIndex() { return 3; }
  static int getSwd1InIndex() { return 4; }
  static int getSlr1InIndex() { return 5; }
  static int getMmInIndex() { return 6; }
  static int getWdInIndex() { return 7; }
  static int getNgsfInIndex() { return 8; }
  static int getNdsfInIndex() { return 9; }
};

}  // namespace popart

#endif  // popart_op_sgdcombobase_hpp
