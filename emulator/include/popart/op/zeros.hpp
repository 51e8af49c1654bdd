#ifndef popart_op_zeros_hpp
#define popart_op_zeros_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/shapeorlike.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ZerosBaseOp : public ShapeOrLikeOp {
 public:
  template <class... Args>
  explicit ZerosBaseOp(const Args&...)
      : ShapeOrLikeOp(emulator::absent<const OperatorIdentifier>("popart::ZerosBaseOp")) {}
  static std::vector<DataType> supportedDataTypes() {
    emulator::missing("popart::ZerosBaseOp::supportedDataTypes");
  }
  std::vector<DataType> getSupportedDataTypes() const override {
    emulator::missing("popart::ZerosBaseOp::getSupportedDataTypes");
  }
};

class ZerosOp : public ZerosBaseOp {
 public:
  template <class... Args>
  explicit ZerosOp(const Args&...)
      : ZerosBaseOp(emulator::absent<const OperatorIdentifier>("popart::ZerosOp")) {}
};

class ZerosLikeOp : public ZerosBaseOp {
 public:
  template <class... Args>
  explicit ZerosLikeOp(const Args&...)
      : ZerosBaseOp(emulator::absent<const OperatorIdentifier>("popart::ZerosLikeOp")) {}
  static InIndex getInIndex() { return 0; }
  std::unique_ptr<ZerosOp> foldInputTensor(const Op::Settings&) const {
    emulator::missing("popart::ZerosLikeOp::foldInputTensor");
  }
};

class UnaryZeroGradOp : public ZerosLikeOp {
 public:
  template <class... Args>
  explicit UnaryZeroGradOp(const Args&...)
      : ZerosLikeOp(emulator::absent<const OperatorIdentifier>("popart::UnaryZeroGradOp")) {}
  static std::vector<std::unique_ptr<Op>> getGradOpVector(const Op::Settings&) {
    emulator::missing("popart::UnaryZeroGradOp::getGradOpVector");
  }
};

}  // namespace popart

#endif  // popart_op_zeros_hpp
