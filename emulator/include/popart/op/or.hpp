#ifndef popart_op_or_hpp
#define popart_op_or_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_or_hpp
