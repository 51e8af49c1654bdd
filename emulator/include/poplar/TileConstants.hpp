// Constants of a tile that codelets for any target use.
#ifndef POPLAR_TILE_CONSTANTS_HPP
#define POPLAR_TILE_CONSTANTS_HPP

#define CTXT_WORKERS 6

#endif  // POPLAR_TILE_CONSTANTS_HPP
