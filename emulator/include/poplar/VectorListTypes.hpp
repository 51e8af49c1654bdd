#ifndef poplar_VectorListTypes_hpp
#define poplar_VectorListTypes_hpp

#include "Vertex.hpp"  // VectorList

#endif  // poplar_VectorListTypes_hpp
