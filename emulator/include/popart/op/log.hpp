#ifndef popart_op_log_hpp
#define popart_op_log_hpp

#include <popart/emulator/unary.hpp>

#endif  // popart_op_log_hpp
