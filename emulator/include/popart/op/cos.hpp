#ifndef popart_op_cos_hpp
#define popart_op_cos_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_cos_hpp
