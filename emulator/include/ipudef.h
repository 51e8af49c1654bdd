// The types of the device: half, and vectors with elements of every number. They are the compiler's
// own vectors: arithmetic goes element by element, a scalar counts for each, a comparison gives
// integers of the same size with all bits of an element or none, [i] is an element, and a cast
// keeps the bits. `long` has 32 bits on the device, so long2 is int2. Declared where a codelet is
// compiled (__POPC__); on the host the header may be included, and declares nothing.
#ifndef POPLAR_IPUDEF_H
#define POPLAR_IPUDEF_H

#ifdef __POPC__

#include "poplar/emulator/device/HalfVector.hpp"

typedef poplar::detail::HalfVector<2> half2;
typedef poplar::detail::HalfVector<4> half4;
typedef poplar::detail::HalfVector<8> half8;

typedef float float2 __attribute__((vector_size(8)));
typedef float float4 __attribute__((vector_size(16)));

typedef char char2 __attribute__((vector_size(2)));
typedef char char4 __attribute__((vector_size(4)));
typedef unsigned char uchar2 __attribute__((vector_size(2)));
typedef unsigned char uchar4 __attribute__((vector_size(4)));
typedef short short2 __attribute__((vector_size(4)));
typedef short short4 __attribute__((vector_size(8)));
typedef unsigned short ushort2 __attribute__((vector_size(4)));
typedef unsigned short ushort4 __attribute__((vector_size(8)));
typedef int int2 __attribute__((vector_size(8)));
typedef int int4 __attribute__((vector_size(16)));
typedef unsigned int uint2 __attribute__((vector_size(8)));
typedef unsigned int uint4 __attribute__((vector_size(16)));
typedef int long2 __attribute__((vector_size(8)));
typedef int long4 __attribute__((vector_size(16)));
typedef long long longlong2 __attribute__((vector_size(16)));
typedef long long longlong4 __attribute__((vector_size(32)));

inline POPLAR_HALF_CONSTEXPR half operator"" _h(long double value) { return half(value); }
inline POPLAR_HALF_CONSTEXPR half operator"" _h(unsigned long long value) { return half(value); }

#ifdef __IPU__
typedef unsigned short rptsize_t;  // the count of a hardware loop has 16 bits
#endif

#endif  // __POPC__

#endif  // POPLAR_IPUDEF_H
