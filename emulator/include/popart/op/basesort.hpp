#ifndef popart_op_basesort_hpp
#define popart_op_basesort_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class BaseSortOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BaseSortOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BaseSortOp")) {}
  static int getInIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_basesort_hpp
