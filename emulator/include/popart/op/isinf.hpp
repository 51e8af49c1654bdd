#ifndef popart_op_isinf_hpp
#define popart_op_isinf_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_isinf_hpp
