#ifndef POPLAR_ARCH_GC_TILE_DEFINES_H
#define POPLAR_ARCH_GC_TILE_DEFINES_H

#include <poplar/TileConstants.hpp>

#endif  // POPLAR_ARCH_GC_TILE_DEFINES_H
