#ifndef popart_vendored_anylite_hpp
#define popart_vendored_anylite_hpp

#include <popart/vendored/any.hpp>

#endif  // popart_vendored_anylite_hpp
