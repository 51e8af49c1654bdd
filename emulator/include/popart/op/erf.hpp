#ifndef popart_op_erf_hpp
#define popart_op_erf_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_erf_hpp
