#ifndef popart_op_upsample_hpp
#define popart_op_upsample_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

enum class UpsampleMode { Nearest, Linear, N };

class UpsampleOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit UpsampleOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::UpsampleOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_upsample_hpp
