#ifndef popart_op_sin_hpp
#define popart_op_sin_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_sin_hpp
