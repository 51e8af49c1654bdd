#ifndef popart_op_ctcbeamsearch_hpp
#define popart_op_ctcbeamsearch_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class CtcBeamSearchDecoderOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CtcBeamSearchDecoderOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::CtcBeamSearchDecoderOp")) {}
  static InIndex getLogProbsInIndex() { return 0; }
  static InIndex getDataLengthsInIndex() { return 1; }
  static OutIndex getLabelProbsOutIndex() { return 0; }
  static OutIndex getLabelLengthsOutIndex() { return 1; }
  static OutIndex getDecodedLabelsOutIndex() { return 2; }
  unsigned int getBlankClass() const {
    emulator::missing("popart::CtcBeamSearchDecoderOp::getBlankClass");
  }
  unsigned int getBeamWidth() const {
    emulator::missing("popart::CtcBeamSearchDecoderOp::getBeamWidth");
  }
  unsigned int getTopPaths() const {
    emulator::missing("popart::CtcBeamSearchDecoderOp::getTopPaths");
  }
  unsigned int getMaxTime() const {
    emulator::missing("popart::CtcBeamSearchDecoderOp::getMaxTime");
  }
  unsigned int getBatchSize() const {
    emulator::missing("popart::CtcBeamSearchDecoderOp::getBatchSize");
  }
  unsigned int getNumClasses() const {
    emulator::missing("popart::CtcBeamSearchDecoderOp::getNumClasses");
  }
};

}  // namespace popart

#endif  // popart_op_ctcbeamsearch_hpp
