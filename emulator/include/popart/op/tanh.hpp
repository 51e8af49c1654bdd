#ifndef popart_op_tanh_hpp
#define popart_op_tanh_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_tanh_hpp
