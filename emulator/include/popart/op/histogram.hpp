#ifndef popart_op_histogram_hpp
#define popart_op_histogram_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class HistogramOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit HistogramOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::HistogramOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_histogram_hpp
