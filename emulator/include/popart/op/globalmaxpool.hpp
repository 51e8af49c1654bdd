#ifndef popart_op_globalmaxpool_hpp
#define popart_op_globalmaxpool_hpp

#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class GlobalMaxPoolOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GlobalMaxPoolOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::GlobalMaxPoolOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  Shape getSpatialK() const { emulator::missing("popart::GlobalMaxPoolOp::getSpatialK"); }
  Shape getStrides() const { emulator::missing("popart::GlobalMaxPoolOp::getStrides"); }
  Shape getLowerPads() const { emulator::missing("popart::GlobalMaxPoolOp::getLowerPads"); }
  Shape getUpperPads() const { emulator::missing("popart::GlobalMaxPoolOp::getUpperPads"); }
};

class GlobalMaxPoolGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit GlobalMaxPoolGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::GlobalMaxPoolGradOp")) {}
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

#endif  // popart_op_globalmaxpool_hpp
