#ifndef popart_op_basesort_hpp
#define popart_op_basesort_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>

namespace popart {

struct OperatorIdentifier;
class BaseSortOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit BaseSortOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::BaseSortOp")) {}
  int64_t getAxis() const { emulator::missing("popart::BaseSortOp::getAxis"); }
  static int getInIndex() { return 0; }

 protected:
  void validateAxis() const { emulator::missing("popart::BaseSortOp::validateAxis"); }
};

}  // namespace popart

#endif  // popart_op_basesort_hpp
