// Element moves between tensors, streams and gather buffers, as strided runs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace poplar {
namespace emulator {

// `rows` times `count` blocks of `bytes`, each row and block a stride after the one before.
// Addresses may be offsets from a base that is known when the move is made.
struct Move {
  char* source;
  char* destination;
  size_t bytes, count, rows;
  ptrdiff_t source_stride, destination_stride;  // bytes
  ptrdiff_t source_row, destination_row;        // bytes
};

// Adds a block to a list of moves that ends with moves[first...]: joins it to the last one where
// that gives one longer or one more block.
void appendMove(std::vector<Move>& moves, size_t first, char* source, char* destination,
                size_t bytes);

// Makes rows of the moves from `first` on that differ only by their addresses.
void stackRows(std::vector<Move>& moves, size_t first);

// Where elements lie, in blocks of bytes: one side of a copy.
struct Block {
  char* address;
  size_t bytes;
};

// Moves all bytes of `source` to those of `destination`, which are as many.
std::vector<Move> planMoves(const std::vector<Block>& source,
                            const std::vector<Block>& destination);

// Whether a byte lies in both lists. Sorts them.
bool overlap(std::vector<Block>& a, std::vector<Block>& b);

void runMoves(const Move* moves, size_t n, ptrdiff_t source_base, ptrdiff_t destination_base);
// Each block back to where it came from.
void runMovesBack(const Move* moves, size_t n, ptrdiff_t source_base, ptrdiff_t destination_base);

}  // namespace emulator
}  // namespace poplar
