#ifndef popart_op_globalaveragepool_hpp
#define popart_op_globalaveragepool_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class GlobalAveragePoolOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GlobalAveragePoolOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::GlobalAveragePoolOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  Shape getSpatialK() const { emulator::missing("popart::GlobalAveragePoolOp::getSpatialK"); }
  Shape getStrides() const { emulator::missing("popart::GlobalAveragePoolOp::getStrides"); }
  Shape getLowerPads() const { emulator::missing("popart::GlobalAveragePoolOp::getLowerPads"); }
  Shape getUpperPads() const { emulator::missing("popart::GlobalAveragePoolOp::getUpperPads"); }
};

class GlobalAveragePoolGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GlobalAveragePoolGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::GlobalAveragePoolGradOp")) {}
  static InIndex getPrePooledInIndex() { return 0; }
  static InIndex getPooledInIndex() { return 1; }
  static InIndex getGradPooledInIndex() { return 2; }
  static OutIndex getOutIndex() { return 0; }
  const Shape creatorSpatialK;
  const Shape creatorStrides;
  const Shape creatorLowerPads;
  const Shape creatorUpperPads;
};

}  // namespace popart

#endif  // popart_op_globalaveragepool_hpp
