#ifndef popart_op_argmin_hpp
#define popart_op_argmin_hpp

#include <memory>
#include <popart/op/argextrema.hpp>

namespace popart {

class ArgMinOp : public ArgExtremaOp {
 public:
  using ArgExtremaOp::ArgExtremaOp;
};

}  // namespace popart

#endif  // popart_op_argmin_hpp
