#ifndef popart_op_normalize_image_hpp
#define popart_op_normalize_image_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/tensor.hpp>
#include <popart/tensordebuginfo.hpp>
#include <string>

namespace popart {

class Ir;
class NormalizeImageOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit NormalizeImageOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::NormalizeImageOp")) {
  }
  static OperatorIdentifier getOpId(const Ir&) {
    emulator::missing("popart::NormalizeImageOp::getOpId");
  }
  static popart::InIndex getImageInIndex() { return 0; }
  static popart::InIndex getOffsetsInIndex() { return 1; }
  static popart::InIndex getScalesInIndex() { return 2; }
  static popart::OutIndex getOutIndex() { return 0; }
  static std::string opName() { return "NormalizeImageOp"; }
  const popart::Tensor* imgIn() const { emulator::missing("popart::NormalizeImageOp::imgIn"); }
  const popart::Tensor* offsetsIn() const {
    emulator::missing("popart::NormalizeImageOp::offsetsIn");
  }
  const popart::Tensor* scalesIn() const {
    emulator::missing("popart::NormalizeImageOp::scalesIn");
  }
  float getScale() const { emulator::missing("popart::NormalizeImageOp::getScale"); }
  bool verifyInputShapes(popart::Shape) {
    emulator::missing("popart::NormalizeImageOp::verifyInputShapes");
  }
  popart::Shape paddedShape(popart::Shape, popart::Shape, popart::Shape) {
    emulator::missing("popart::NormalizeImageOp::paddedShape");
  }
};

}  // namespace popart

#endif  // popart_op_normalize_image_hpp
