#ifndef popart_op_rnn_hpp
#define popart_op_rnn_hpp

#include <cstdint>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/lstmutil.hpp>
#include <popart/op/rnnbase.hpp>
#include <popart/vendored/optional.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class RNNOp : public BaseOnnxRNNOp {
 public:
  template <class... Args>
  explicit RNNOp(const Args&...)
      : BaseOnnxRNNOp(emulator::absent<const OperatorIdentifier>("popart::RNNOp")) {}
  const ActivationFunction activation_attribute;
};

class RNNGradOp : public BaseOnnxRNNGradOp {
 public:
  template <class... Args>
  explicit RNNGradOp(const Args&...)
      : BaseOnnxRNNGradOp(emulator::absent<const OperatorIdentifier>("popart::RNNGradOp")) {}
  const ActivationFunction activation_attribute;

 private:
  virtual void populateInInfo() { emulator::missing("popart::RNNGradOp::populateInInfo"); }
};

}  // namespace popart

#endif  // popart_op_rnn_hpp
