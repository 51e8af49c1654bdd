#ifndef popart_op_histogram_hpp
#define popart_op_histogram_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class HistogramOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit HistogramOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::HistogramOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  std::vector<float> getLevels() const { emulator::missing("popart::HistogramOp::getLevels"); }
  bool getAbsoluteOfInput() const { emulator::missing("popart::HistogramOp::getAbsoluteOfInput"); }
};

}  // namespace popart

#endif  // popart_op_histogram_hpp
