#ifndef popart_op_sqrt_hpp
#define popart_op_sqrt_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_sqrt_hpp
