#ifndef popart_op_iotilecopy_hpp
#define popart_op_iotilecopy_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class IoTileCopyOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit IoTileCopyOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::IoTileCopyOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_iotilecopy_hpp
