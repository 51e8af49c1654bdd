#ifndef popart_op_negate_hpp
#define popart_op_negate_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_negate_hpp
