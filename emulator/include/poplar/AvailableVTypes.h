// Which vector layouts a codelet may ask for. The host takes all of them.
#ifndef POPLAR_AVAILABLE_V_TYPES_H
#define POPLAR_AVAILABLE_V_TYPES_H

#define VECTOR_AVAIL_SHORT_SPAN 1
#define VECTOR_AVAIL_SCALED_PTR32 1
#define VECTOR_AVAIL_SCALED_PTR64 1
#define VECTOR_AVAIL_SCALED_PTR128 1
#define VECTORLIST_AVAIL_DELTAN 1

#endif  // POPLAR_AVAILABLE_V_TYPES_H
