#ifndef popart_op_roialign_hpp
#define popart_op_roialign_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class RoiAlignOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit RoiAlignOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::RoiAlignOp")) {}
  float getSpatialScale() const { emulator::missing("popart::RoiAlignOp::getSpatialScale"); }
  uint64_t getSamplingRatio() const { emulator::missing("popart::RoiAlignOp::getSamplingRatio"); }
  uint64_t getAlignedHeight() const { emulator::missing("popart::RoiAlignOp::getAlignedHeight"); }
  uint64_t getAlignedWidth() const { emulator::missing("popart::RoiAlignOp::getAlignedWidth"); }
};

class RoiAlignGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit RoiAlignGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::RoiAlignGradOp")) {}
  float getSpatialScale() const { emulator::missing("popart::RoiAlignGradOp::getSpatialScale"); }
  uint64_t getSamplingRatio() const {
    emulator::missing("popart::RoiAlignGradOp::getSamplingRatio");
  }
  uint64_t getAlignedHeight() const {
    emulator::missing("popart::RoiAlignGradOp::getAlignedHeight");
  }
  uint64_t getAlignedWidth() const { emulator::missing("popart::RoiAlignGradOp::getAlignedWidth"); }
};

}  // namespace popart

#endif  // popart_op_roialign_hpp
