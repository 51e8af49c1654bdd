#ifndef popart_op_abs_hpp
#define popart_op_abs_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_abs_hpp
