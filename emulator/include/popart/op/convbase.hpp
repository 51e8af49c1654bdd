#ifndef popart_op_convbase_hpp
#define popart_op_convbase_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

struct ConvParameters {
  DataType type;
  std::int64_t batchSize;
  std::int64_t numInChannelsPerGroup;
  std::int64_t numOutChannelsPerGroup;
  std::int64_t numGroups;
  Shape inputShape;
  Shape kernelShape;
  struct Input {
    std::vector<std::int64_t> lowerTruncation, upperTruncation, dilation;
    std::vector<std::int64_t> lowerPadding, upperPadding;
    std::vector<bool> flip;
  } inputTransformation, kernelTransformation;
  struct Output {
    std::vector<std::int64_t> lowerTruncation, upperTruncation, stride;
    std::vector<std::int64_t> lowerPadding, upperPadding;
  } outputTransformation;
};

class MultiConvBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MultiConvBaseOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::MultiConvBaseOp")) {}
};

class MultiConvWeightsGradBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MultiConvWeightsGradBaseOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiConvWeightsGradBaseOp")) {}
};

class MultiConvDataGradBaseOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit MultiConvDataGradBaseOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiConvDataGradBaseOp")) {}
};

}  // namespace popart

#endif  // popart_op_convbase_hpp
