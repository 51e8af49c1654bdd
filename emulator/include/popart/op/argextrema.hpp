#ifndef popart_op_argextrema_hpp
#define popart_op_argextrema_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>

namespace popart {

struct OperatorIdentifier;
class ArgExtremaOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ArgExtremaOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ArgExtremaOp")) {}
  int64_t getKeepDims() const { emulator::missing("popart::ArgExtremaOp::getKeepDims"); }
  int64_t getAxis() const { emulator::missing("popart::ArgExtremaOp::getAxis"); }
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_argextrema_hpp
