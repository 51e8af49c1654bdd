#ifndef popart_op_tensorremap_hpp
#define popart_op_tensorremap_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
enum class TensorRemapType { FwdBwdReverse = 0, FwdBwd, Fwd };

class TensorRemapOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit TensorRemapOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::TensorRemapOp")) {}
  static InIndex getInIndex() { return 0; }
  static InIndex getRefInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
  TensorRemapType getTensorRemapType() const {
    emulator::missing("popart::TensorRemapOp::getTensorRemapType");
  }
};

}  // namespace popart

#endif  // popart_op_tensorremap_hpp
