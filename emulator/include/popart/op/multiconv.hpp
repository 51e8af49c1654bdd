#ifndef popart_op_multiconv_hpp
#define popart_op_multiconv_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/convbase.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class MultiConvOp : public MultiConvBaseOp {
 public:
  template <class... Args>
  explicit MultiConvOp(const Args&...)
      : MultiConvBaseOp(emulator::absent<const OperatorIdentifier>("popart::MultiConvOp")) {}
};

class MultiConvWeightsGradOp : public MultiConvWeightsGradBaseOp {
 public:
  template <class... Args>
  explicit MultiConvWeightsGradOp(const Args&...)
      : MultiConvWeightsGradBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiConvWeightsGradOp")) {}
};

class MultiConvDataGradOp : public MultiConvDataGradBaseOp {
 public:
  template <class... Args>
  explicit MultiConvDataGradOp(const Args&...)
      : MultiConvDataGradBaseOp(
            emulator::absent<const OperatorIdentifier>("popart::MultiConvDataGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_multiconv_hpp
