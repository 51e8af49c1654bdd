#ifndef popart_op_rnn_hpp
#define popart_op_rnn_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/rnnbase.hpp>

namespace popart {

class RNNOp : public BaseOnnxRNNOp {
 public:
  template <class... Args>
  explicit RNNOp(const Args&...)
      : BaseOnnxRNNOp(emulator::absent<const OperatorIdentifier>("popart::RNNOp")) {}
};

class RNNGradOp : public BaseOnnxRNNGradOp {
 public:
  template <class... Args>
  explicit RNNGradOp(const Args&...)
      : BaseOnnxRNNGradOp(emulator::absent<const OperatorIdentifier>("popart::RNNGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_rnn_hpp
