#ifndef poplar_InOutTypes_hpp
#define poplar_InOutTypes_hpp

#include "Vertex.hpp"  // Input, Output, InOut

#endif  // poplar_InOutTypes_hpp
