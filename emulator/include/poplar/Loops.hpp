// rptsize_t: the type of a counter for which the device's compiler makes a hardware loop.
#ifndef POPLAR_LOOPS_HPP
#define POPLAR_LOOPS_HPP

#ifdef __IPU__
#include <ipudef.h>
#else
typedef unsigned rptsize_t;
#endif

#endif  // POPLAR_LOOPS_HPP
