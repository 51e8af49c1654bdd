// What this header declares exists on the device alone (__IPU__). On the host it may be included,
// and declares nothing.
#ifndef POPLAR_IPUDEF_H
#define POPLAR_IPUDEF_H
#endif  // POPLAR_IPUDEF_H
