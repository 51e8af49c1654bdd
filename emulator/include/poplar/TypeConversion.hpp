#ifndef poplar_TypeConversion_hpp
#define poplar_TypeConversion_hpp

#include <poplar/Target.hpp>  // copyFloatToDeviceHalf, copyDeviceHalfToFloat

#endif  // poplar_TypeConversion_hpp
