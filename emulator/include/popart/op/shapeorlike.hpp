#ifndef popart_op_shapeorlike_hpp
#define popart_op_shapeorlike_hpp

#include <memory>
#include <popart/attributes.hpp>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/opmanager.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class TensorInfo;
class ShapeOrLikeOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ShapeOrLikeOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ShapeOrLikeOp")) {}
  static OptionalDataType getOptionalDataType(const Attributes&, OperatorIdentifier) {
    emulator::missing("popart::ShapeOrLikeOp::getOptionalDataType");
  }
  static OutIndex getOutIndex() { return 0; }
  static const OpDefinition::DataTypes& likeSupportedInputTypes() {
    emulator::missing("popart::ShapeOrLikeOp::likeSupportedInputTypes");
  }
  void validateDataType(DataType, OperatorIdentifier) {
    emulator::missing("popart::ShapeOrLikeOp::validateDataType");
  }
  const OptionalDataType& getDataType() const {
    emulator::missing("popart::ShapeOrLikeOp::getDataType");
  }
  virtual std::vector<DataType> getSupportedDataTypes() const = 0;

 protected:
  void setupLike(const popart::TensorInfo&) {
    emulator::missing("popart::ShapeOrLikeOp::setupLike");
  }
  void setupWithShape(const Shape&) { emulator::missing("popart::ShapeOrLikeOp::setupWithShape"); }
  OptionalDataType dataType;
};

}  // namespace popart

#endif  // popart_op_shapeorlike_hpp
