#ifndef poplar_FieldTypes_hpp
#define poplar_FieldTypes_hpp

#include "Vertex.hpp"  // Input, Output, InOut, Vector, VectorList

#endif  // poplar_FieldTypes_hpp
