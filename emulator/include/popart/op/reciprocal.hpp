#ifndef popart_op_reciprocal_hpp
#define popart_op_reciprocal_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_reciprocal_hpp
