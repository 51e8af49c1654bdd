#ifndef popart_op_sgd1nesterov_hpp
#define popart_op_sgd1nesterov_hpp

#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <poprithms/memory/inplace/proposal.hpp>
#include <tuple>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class SGD1NesterovOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit SGD1NesterovOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::SGD1NesterovOp")) {}
  static InIndex getGradInIndex() { return 0; }
  static InIndex getWeightInIndex() { return 1; }
  static InIndex getVelocityInIndex() { return 2; }
  static InIndex getInverseLossScaleInIndex() { return 3; }
  static InIndex getWdInIndex() { return 4; }
  static InIndex getNgsfInIndex() { return 5; }
  static InIndex getMmInIndex() { return 6; }
  static OutIndex getOutIndex() { return 0; }
  float getInverseLossScale() const {
    emulator::missing("popart::SGD1NesterovOp::getInverseLossScale");
  }
  float getWd() const { emulator::missing("popart::SGD1NesterovOp::getWd"); }
  float getNgsf() const { emulator::missing("popart::SGD1NesterovOp::getNgsf"); }
  float getMm() const { emulator::missing("popart::SGD1NesterovOp::getMm"); }

 protected:
  float initInverseLossScale;
  float initWd;
  float initNgsf;
  float initMm;
};

}  // namespace popart

#endif  // popart_op_sgd1nesterov_hpp
