#ifndef popart_op_getrandomseed_hpp
#define popart_op_getrandomseed_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensornames.hpp>
#include <string>

namespace popart {

struct OperatorIdentifier;
class GetRandomSeedOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GetRandomSeedOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GetRandomSeedOp")) {}
  static OutIndex getUpdatedSeedOutIndex() { return 0; }
  static TensorId getStreamedSeedTensorId() {
    emulator::missing("popart::GetRandomSeedOp::getStreamedSeedTensorId");
  }
  static TensorId getUpdatedSeedTensorId() {
    emulator::missing("popart::GetRandomSeedOp::getUpdatedSeedTensorId");
  }
};

}  // namespace popart

#endif  // popart_op_getrandomseed_hpp
