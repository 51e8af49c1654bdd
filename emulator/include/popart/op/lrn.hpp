#ifndef popart_op_lrn_hpp
#define popart_op_lrn_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class LRNOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LRNOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LRNOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  float getAlpha() const { emulator::missing("popart::LRNOp::getAlpha"); }
  float getBeta() const { emulator::missing("popart::LRNOp::getBeta"); }
  float getBias() const { emulator::missing("popart::LRNOp::getBias"); }
  int64_t getSize() const { emulator::missing("popart::LRNOp::getSize"); }
};

class LRNGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit LRNGradOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::LRNGradOp")) {}
  float getAlpha() const { emulator::missing("popart::LRNGradOp::getAlpha"); }
  float getBeta() const { emulator::missing("popart::LRNGradOp::getBeta"); }
  float getBias() const { emulator::missing("popart::LRNGradOp::getBias"); }
  int64_t getSize() const { emulator::missing("popart::LRNGradOp::getSize"); }
  static InIndex getInIndex() { return 0; }
  static InIndex getFwdInInIndex() { return 1; }
  static OutIndex getOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_lrn_hpp
