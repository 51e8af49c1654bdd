#ifndef popart_op_init_hpp
#define popart_op_init_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensor.hpp>
#include <popart/tensorinfo.hpp>

namespace popart {

struct OperatorIdentifier;
enum class InitType { NoInit = 0, Zero };

class InitOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit InitOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::InitOp")) {}
  static InIndex getOutIndex() { return 0; }
  TensorInfo getTensorInfo() const { emulator::missing("popart::InitOp::getTensorInfo"); }
  TensorType getTensorType() const { emulator::missing("popart::InitOp::getTensorType"); }
  InitType getInitType() const { emulator::missing("popart::InitOp::getInitType"); }
};

}  // namespace popart

#endif  // popart_op_init_hpp
