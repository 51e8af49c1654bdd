#ifndef popart_op_equal_hpp
#define popart_op_equal_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_equal_hpp
