// The name of popart/operators.hpp in older SDKs.
#ifndef popart_opidentifier_hpp
#define popart_opidentifier_hpp

#include <popart/operators.hpp>

#endif  // popart_opidentifier_hpp
