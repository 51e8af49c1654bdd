#ifndef popart_op_getrandomseed_hpp
#define popart_op_getrandomseed_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class GetRandomSeedOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GetRandomSeedOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GetRandomSeedOp")) {}
  static int getUpdatedSeedOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_getrandomseed_hpp
