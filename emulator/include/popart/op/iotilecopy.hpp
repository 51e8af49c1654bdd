#ifndef popart_op_iotilecopy_hpp
#define popart_op_iotilecopy_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorlocation.hpp>
#include <set>

namespace popart {

struct OperatorIdentifier;
class IoTileCopyOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit IoTileCopyOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::IoTileCopyOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_iotilecopy_hpp
