#ifndef popart_op_sgd2varupdate_hpp
#define popart_op_sgd2varupdate_hpp

#include <memory>
#include <popart/op/sgd1varupdate.hpp>

namespace popart {

class SGD2VarUpdateOp : public SGD1VarUpdateOp {
 public:
  using SGD1VarUpdateOp::SGD1VarUpdateOp;
};

}  // namespace popart

#endif  // popart_op_sgd2varupdate_hpp
