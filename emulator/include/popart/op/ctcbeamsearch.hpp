#ifndef popart_op_ctcbeamsearch_hpp
#define popart_op_ctcbeamsearch_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class CtcBeamSearchDecoderOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CtcBeamSearchDecoderOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::CtcBeamSearchDecoderOp")) {}
  static int getLogProbsInIndex() { return 0; }
  static int getDataLengthsInIndex() { return 1; }
  static int getLabelProbsOutIndex() { return 0; }
  static int getLabelLengthsOutIndex() { return 1; }
  static int getDecodedLabelsOutIndex() { return 2; }
};

}  // namespace popart

#endif  // popart_op_ctcbeamsearch_hpp
