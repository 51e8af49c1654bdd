#ifndef popart_op_div_hpp
#define popart_op_div_hpp

#include <popart/emulator/binary.hpp>

#endif  // popart_op_div_hpp
