#ifndef popart_op_scatterreduce_hpp
#define popart_op_scatterreduce_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

enum class ScatterReduction { Sum = 0, Max, Min, Mul, None };

class ScatterReduceOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScatterReduceOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::ScatterReduceOp")) {}
};

class ScatterReduceGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScatterReduceGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ScatterReduceGradOp")) {}
  static int gradInIndex() { return 0; }
  static int indicesInIndex() { return 1; }
  static int srcDataInIndex() { return 2; }
  static int fwdOutInIndex() { return 3; }
  static int initialValuesInIndex() { return 4; }
  static int gradDataOutIndex() { return 0; }
  static int gradInitialValuesOutIndex() { return 1; }
};

}  // namespace popart

#endif  // popart_op_scatterreduce_hpp
