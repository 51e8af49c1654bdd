#ifndef popart_op_sgd2varupdate_hpp
#define popart_op_sgd2varupdate_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/sgd1varupdate.hpp>

namespace popart {

class SGD2VarUpdateOp : public SGD1VarUpdateOp {
 public:
  template <class... Args>
  explicit SGD2VarUpdateOp(const Args&...)
      : SGD1VarUpdateOp(emulator::absent<const OperatorIdentifier>("popart::SGD2VarUpdateOp")) {}
};

}  // namespace popart

#endif  // popart_op_sgd2varupdate_hpp
