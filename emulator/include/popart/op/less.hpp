#ifndef popart_op_less_hpp
#define popart_op_less_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_less_hpp
