#ifndef popart_op_normalize_image_hpp
#define popart_op_normalize_image_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class NormalizeImageOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit NormalizeImageOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::NormalizeImageOp")) {
  }
};

}  // namespace popart

#endif  // popart_op_normalize_image_hpp
