#ifndef popart_op_isnan_hpp
#define popart_op_isnan_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_isnan_hpp
