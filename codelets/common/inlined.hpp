// A function that is never called on an IPU: its call would cost more than a short list's loop, for
// the registers that it saves, and what a lambda captures would go through memory.
#pragma once

#ifdef __IPU__
#define POPSNN_INLINED __attribute__((always_inline))
#else
#define POPSNN_INLINED
#endif
