#ifndef popart_op_sgd2acclupdate_hpp
#define popart_op_sgd2acclupdate_hpp

#include <memory>
#include <popart/op/sgd1acclupdate.hpp>

namespace popart {

class SGD2PartialAcclUpdateOp : public SGD1AcclUpdateOp {
 public:
  using SGD1AcclUpdateOp::SGD1AcclUpdateOp;
};

}  // namespace popart

#endif  // popart_op_sgd2acclupdate_hpp
