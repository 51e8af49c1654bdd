// printf for codelets; on the host it is the C library's.
#ifndef POPLAR_PRINT_H
#define POPLAR_PRINT_H

#include <stdio.h>

#endif  // POPLAR_PRINT_H
