#ifndef popart_op_cumsum_hpp
#define popart_op_cumsum_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/tensorinfo.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class CumSumOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CumSumOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::CumSumOp")) {}
  bool getExclusive() const { emulator::missing("popart::CumSumOp::getExclusive"); }
  bool getReverse() const { emulator::missing("popart::CumSumOp::getReverse"); }
  int64_t getAxis() const { emulator::missing("popart::CumSumOp::getAxis"); }
  static InIndex xInIndex() { return 0; }
  static InIndex axisInIndex() { return 1; }
  static OutIndex outIndex() { return 0; }
};

class CumSumGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit CumSumGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::CumSumGradOp")) {}
  bool getExclusive() const { emulator::missing("popart::CumSumGradOp::getExclusive"); }
  bool getReverse() const { emulator::missing("popart::CumSumGradOp::getReverse"); }
  int64_t getAxis() const { emulator::missing("popart::CumSumGradOp::getAxis"); }
  static InIndex outGradXInIndex() { return 0; }
  static InIndex fwdXInIndex() { return 1; }
  static OutIndex outIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_cumsum_hpp
