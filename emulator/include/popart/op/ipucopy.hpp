#ifndef popart_op_ipucopy_hpp
#define popart_op_ipucopy_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class IpuCopyOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit IpuCopyOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::IpuCopyOp")) {}
};

}  // namespace popart

#endif  // popart_op_ipucopy_hpp
