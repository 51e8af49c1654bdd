#ifndef POPLAR_TILEIMPLCONSTS_H
#define POPLAR_TILEIMPLCONSTS_H

#include <poplar/TileConstants.hpp>

#endif  // POPLAR_TILEIMPLCONSTS_H
