#ifndef popart_op_scatter_hpp
#define popart_op_scatter_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/scatterreduce.hpp>

namespace popart {

class ScatterOp : public ScatterReduceOp {
 public:
  template <class... Args>
  explicit ScatterOp(const Args&...)
      : ScatterReduceOp(emulator::absent<const OperatorIdentifier>("popart::ScatterOp")) {}
  static int dataInIndex() { return 0; }
  static int indicesInIndex() { return 1; }
  static int updatesInIndex() { return 2; }
  static int outIndex() { return 0; }
};

class ScatterDataGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScatterDataGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ScatterDataGradOp")) {}
  static int gradInIndex() { return 0; }
  static int indicesInIndex() { return 1; }
  static int gradOutIndex() { return 0; }
};

class ScatterUpdateGradOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit ScatterUpdateGradOp(const Args&...)
      : emulator::AbsentOp(
            emulator::absent<const OperatorIdentifier>("popart::ScatterUpdateGradOp")) {}
  static int gradInIndex() { return 0; }
  static int indicesInIndex() { return 1; }
  static int gradOutIndex() { return 0; }
};

}  // namespace popart

#endif  // popart_op_scatter_hpp
