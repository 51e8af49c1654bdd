// Walks over PopART's graph. None is emulated.
#ifndef popart_graphutils_hpp
#define popart_graphutils_hpp

#include <popart/graph.hpp>

#endif  // popart_graphutils_hpp
