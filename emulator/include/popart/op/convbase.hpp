#ifndef popart_op_convbase_hpp
#define popart_op_convbase_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

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
