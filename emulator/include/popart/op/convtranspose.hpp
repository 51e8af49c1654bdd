#ifndef popart_op_convtranspose_hpp
#define popart_op_convtranspose_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/convbase.hpp>
#include <popart/op/receptive.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class ConvTransposeOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ConvTransposeOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ConvTransposeOp")) {}
  static InIndex getInIndex() { return 0; }
  static InIndex getWeightsInIndex() { return 1; }
  static InIndex getLog2ScaleInIndex() { return 2; }
  static OutIndex getOutIndex() { return 0; }
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;
  int64_t group;
  const AutoPad padType;
  const MultiConvOptions convOpts;
  ConvParameters params;
  bool isPow2ScaledConvTranspose() const {
    emulator::missing("popart::ConvTransposeOp::isPow2ScaledConvTranspose");
  }
};

}  // namespace popart

#endif  // popart_op_convtranspose_hpp
