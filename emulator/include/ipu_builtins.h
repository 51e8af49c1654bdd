// What this header declares exists on the device alone (__IPU__). On the host it may be included,
// and declares nothing.
#ifndef POPLAR_IPU_BUILTINS_H
#define POPLAR_IPU_BUILTINS_H
#endif  // POPLAR_IPU_BUILTINS_H
