#ifndef popart_op_argmax_hpp
#define popart_op_argmax_hpp

#include <memory>
#include <popart/op/argextrema.hpp>

namespace popart {

class ArgMaxOp : public ArgExtremaOp {
 public:
  using ArgExtremaOp::ArgExtremaOp;
};

}  // namespace popart

#endif  // popart_op_argmax_hpp
