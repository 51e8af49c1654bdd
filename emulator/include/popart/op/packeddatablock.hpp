#ifndef popart_op_packeddatablock_hpp
#define popart_op_packeddatablock_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class PackedDataBlockOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit PackedDataBlockOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::PackedDataBlockOp")) {}
};

}  // namespace popart

#endif  // popart_op_packeddatablock_hpp
