#ifndef popart_op_padgrad_hpp
#define popart_op_padgrad_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/slice.hpp>
#include <vector>

namespace popart {

class PadGradOp : public SliceOp {
 public:
  template <class... Args>
  explicit PadGradOp(const Args&...)
      : SliceOp(emulator::absent<const OperatorIdentifier>("popart::PadGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_padgrad_hpp
