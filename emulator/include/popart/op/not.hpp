#ifndef popart_op_not_hpp
#define popart_op_not_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_not_hpp
