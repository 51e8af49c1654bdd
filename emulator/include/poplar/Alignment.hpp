#ifndef poplar_Alignment_hpp
#define poplar_Alignment_hpp

#include "Vertex.hpp"  // the MinAlign of a Vector

#endif  // poplar_Alignment_hpp
