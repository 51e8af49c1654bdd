#ifndef popart_op_subtract_hpp
#define popart_op_subtract_hpp

#include <popart/emulator/binary.hpp>

#endif  // popart_op_subtract_hpp
