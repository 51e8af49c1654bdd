#ifndef POPLAR_TILEARCH_H
#define POPLAR_TILEARCH_H

#include <poplar/TileConstants.hpp>

#endif  // POPLAR_TILEARCH_H
