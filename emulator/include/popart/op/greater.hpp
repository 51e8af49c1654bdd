#ifndef popart_op_greater_hpp
#define popart_op_greater_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_greater_hpp
