// The names of all operators of PopART.
#ifndef popart_operators_hpp
#define popart_operators_hpp

#include <popart/graphcoreoperators.hpp>
#include <popart/onnxoperators.gen.hpp>

#endif  // popart_operators_hpp
