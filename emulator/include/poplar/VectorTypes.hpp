// float2, half4 and their kin are device types: codelets use them under __IPU__ alone, and some
// define their own for the host. So this header names none of them here.
#ifndef POPLAR_VECTOR_TYPES_HPP
#define POPLAR_VECTOR_TYPES_HPP

#include "HalfFloat.hpp"

#endif  // POPLAR_VECTOR_TYPES_HPP
