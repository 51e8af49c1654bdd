#ifndef gccs_ArrayRef_hpp
#define gccs_ArrayRef_hpp

#include <poplar/ArrayRef.hpp>

#endif  // gccs_ArrayRef_hpp
