#ifndef popart_op_matmul_hpp
#define popart_op_matmul_hpp

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/vendored/optional.hpp>
#include <string>
#include <vector>

namespace popart {

class Tensor;
struct OperatorIdentifier;
enum class MatMulPartialsType { HALF, FLOAT };

inline std::string toString(const MatMulPartialsType&) { emulator::missing("popart::toString"); }

inline std::ostream& operator<<(std::ostream&, const MatMulPartialsType&) {
  emulator::missing("popart::operator<<");
}

class MatMulBaseOp : public emulator::AbsentOp {
 public:
  enum class Phase { Fwd, BwdLHS, BwdRHS };
  struct SerialiseSettings {
    enum class Mode { None, InputChannels, ReducingDim, OutputChannels };
    Mode mode = Mode::None;
    uint32_t factor = 0;
    bool keep_precision = false;
  };
  template <class... Args>
  explicit MatMulBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::MatMulBaseOp")) {}
  virtual Shape getExpandedLhsShape() const = 0;
  virtual Shape getExpandedRhsShape() const = 0;
  bool useFullyConnectedPass() const {
    emulator::missing("popart::MatMulBaseOp::useFullyConnectedPass");
  }
  void setUseFullyConnectedPass(bool) {
    emulator::missing("popart::MatMulBaseOp::setUseFullyConnectedPass");
  }
  nonstd::optional<float> getAvailableMemoryProportion() const {
    emulator::missing("popart::MatMulBaseOp::getAvailableMemoryProportion");
  }
  void setAvailableMemoryProportion(const nonstd::optional<float>) {
    emulator::missing("popart::MatMulBaseOp::setAvailableMemoryProportion");
  }
  const SerialiseSettings& getSerialiseSettings() const {
    emulator::missing("popart::MatMulBaseOp::getSerialiseSettings");
  }
  SerialiseSettings& getSerialiseSettings() {
    emulator::missing("popart::MatMulBaseOp::getSerialiseSettings");
  }
  OptionalDataType getOutputType() const {
    emulator::missing("popart::MatMulBaseOp::getOutputType");
  }
  Phase getPhase() const { emulator::missing("popart::MatMulBaseOp::getPhase"); }
  void setPhase(Phase) { emulator::missing("popart::MatMulBaseOp::setPhase"); }
  MatMulPartialsType getPartialsType() const {
    emulator::missing("popart::MatMulBaseOp::getPartialsType");
  }
  void setPartialsType(const MatMulPartialsType&) {
    emulator::missing("popart::MatMulBaseOp::setPartialsType");
  }

 protected:
  Phase phase;
  bool enableFullyConnectedPass;
  nonstd::optional<float> availableMemoryProportion;
  SerialiseSettings serialization;
  OptionalDataType outputType;
  MatMulPartialsType partialsType;
};

class MatMulOp : public MatMulBaseOp {
 public:
  template <class... Args>
  explicit MatMulOp(const Args&...)
      : MatMulBaseOp(emulator::absent<const OperatorIdentifier>("popart::MatMulOp")) {}
  static InIndex getLhsInIndex() { return 0; }
  static InIndex getRhsInIndex() { return 1; }
  static InIndex getLog2ScaleInIndex() { return 2; }
  static OutIndex getOutIndex() { return 0; }
  const Tensor* lhsIn() const { emulator::missing("popart::MatMulOp::lhsIn"); }
  const Tensor* rhsIn() const { emulator::missing("popart::MatMulOp::rhsIn"); }
  const Tensor* log2ScaleIn() const { emulator::missing("popart::MatMulOp::log2ScaleIn"); }
  const Tensor* out() const { emulator::missing("popart::MatMulOp::out"); }
  Shape getExpandedLhsShape() const override {
    emulator::missing("popart::MatMulOp::getExpandedLhsShape");
  }
  Shape getExpandedRhsShape() const override {
    emulator::missing("popart::MatMulOp::getExpandedRhsShape");
  }
  Shape getExpandedOutShape() const { emulator::missing("popart::MatMulOp::getExpandedOutShape"); }
  void setCanCreateInputs(bool) { emulator::missing("popart::MatMulOp::setCanCreateInputs"); }
  bool getCanCreateInputs() const { emulator::missing("popart::MatMulOp::getCanCreateInputs"); }
  Shape npMatMulOut(Shape, Shape) { emulator::missing("popart::MatMulOp::npMatMulOut"); }
  bool isPow2ScaledMatMul() const { emulator::missing("popart::MatMulOp::isPow2ScaledMatMul"); }
};

class MatMulBaseGradOp : public MatMulBaseOp {
 public:
  template <class... Args>
  explicit MatMulBaseGradOp(const Args&...)
      : MatMulBaseOp(emulator::absent<const OperatorIdentifier>("popart::MatMulBaseGradOp")) {}
  const MatMulOp* getCloneOfCreator() const {
    emulator::missing("popart::MatMulBaseGradOp::getCloneOfCreator");
  }

 protected:
  TensorInfo fwdOpOutputGrad;
  TensorInfo fwdOpLhsInfo;
  TensorInfo fwdOpRhsInfo;
  std::shared_ptr<Op> cloneOfCreator;
};

class MatMulLhsGradOp : public MatMulBaseGradOp {
 public:
  template <class... Args>
  explicit MatMulLhsGradOp(const Args&...)
      : MatMulBaseGradOp(emulator::absent<const OperatorIdentifier>("popart::MatMulLhsGradOp")) {}
  static InIndex getGradInIndex() { return 0; }
  static InIndex getRhsInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
  Shape getExpandedLhsShape() const override {
    emulator::missing("popart::MatMulLhsGradOp::getExpandedLhsShape");
  }
  Shape getExpandedRhsShape() const override {
    emulator::missing("popart::MatMulLhsGradOp::getExpandedRhsShape");
  }
  Shape getGradInputShape() const {
    emulator::missing("popart::MatMulLhsGradOp::getGradInputShape");
  }
  Shape getRhsInputShape() const { emulator::missing("popart::MatMulLhsGradOp::getRhsInputShape"); }
  Shape getOutputShape() const { emulator::missing("popart::MatMulLhsGradOp::getOutputShape"); }
};

class MatMulRhsGradOp : public MatMulBaseGradOp {
 public:
  template <class... Args>
  explicit MatMulRhsGradOp(const Args&...)
      : MatMulBaseGradOp(emulator::absent<const OperatorIdentifier>("popart::MatMulRhsGradOp")) {}
  static InIndex getGradInIndex() { return 0; }
  static InIndex getLhsInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
  Shape getExpandedLhsShape() const override {
    emulator::missing("popart::MatMulRhsGradOp::getExpandedLhsShape");
  }
  Shape getExpandedRhsShape() const override {
    emulator::missing("popart::MatMulRhsGradOp::getExpandedRhsShape");
  }
  Shape getLhsInputShape() const { emulator::missing("popart::MatMulRhsGradOp::getLhsInputShape"); }
  Shape getGradInputShape() const {
    emulator::missing("popart::MatMulRhsGradOp::getGradInputShape");
  }
  Shape getOutputShape() const { emulator::missing("popart::MatMulRhsGradOp::getOutputShape"); }
};

}  // namespace popart

#endif  // popart_op_matmul_hpp
