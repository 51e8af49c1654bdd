// 8-bit floating-point numbers of codelets. Devices of the kinds that are emulated have none: the
// types are here, and a conversion is refused where it is run.
#ifndef POPLAR_QUARTER_FLOAT_HPP
#define POPLAR_QUARTER_FLOAT_HPP

#ifdef __POPC__

#include "HalfFloat.hpp"
#include "emulator/device/Worker.hpp"

typedef struct quarter {
  unsigned char value;
} quarter;

typedef struct quarter_metadata {
  enum format { f152, f143 } fmt;
  signed char scale;
} quarter_metadata;

namespace poplar {

inline quarter toQuarter(float, quarter_metadata, bool = false) {
  detail::refuse("a conversion to quarter");
}
inline float toFloat(quarter, quarter_metadata) { detail::refuse("a conversion of quarter"); }
inline half toHalf(quarter, quarter_metadata) { detail::refuse("a conversion of quarter"); }
inline quarter_metadata unpackMetadata(const void*) { detail::refuse("the metadata of quarter"); }

}  // namespace poplar

using poplar::toFloat;
using poplar::toHalf;
using poplar::toQuarter;
using poplar::unpackMetadata;

#endif  // __POPC__

#endif  // POPLAR_QUARTER_FLOAT_HPP
