#ifndef popart_op_and_hpp
#define popart_op_and_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_and_hpp
