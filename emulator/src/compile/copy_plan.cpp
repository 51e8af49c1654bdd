#include "compile/copy_plan.hpp"

#include <algorithm>
#include <cstring>

namespace poplar {
namespace emulator {

namespace {

// The compiler makes plain loads and stores of a memcpy of known size.
template <size_t kBytes>
void moveBlocks(const char* s, char* d, size_t count, ptrdiff_t ss, ptrdiff_t ds) {
  for (size_t i = 0; i < count; ++i, s += ss, d += ds) std::memcpy(d, s, kBytes);
}

void moveBlocks(const char* s, char* d, size_t bytes, size_t count, ptrdiff_t ss, ptrdiff_t ds) {
  switch (bytes) {
    case 1:
      return moveBlocks<1>(s, d, count, ss, ds);
    case 2:
      return moveBlocks<2>(s, d, count, ss, ds);
    case 4:
      return moveBlocks<4>(s, d, count, ss, ds);
    case 8:
      return moveBlocks<8>(s, d, count, ss, ds);
    case 16:
      return moveBlocks<16>(s, d, count, ss, ds);
    case 32:
      return moveBlocks<32>(s, d, count, ss, ds);
    default:
      for (size_t i = 0; i < count; ++i, s += ss, d += ds) std::memcpy(d, s, bytes);
  }
}

// Neighbouring rows often share cache lines on the side where the blocks of a row do not: tiles
// of both use what they load.
constexpr size_t kTile = 16;

void moveRows(const Move& m, const char* s, ptrdiff_t ss, ptrdiff_t sr, char* d, ptrdiff_t ds,
              ptrdiff_t dr) {
  if (m.rows == 1) return moveBlocks(s, d, m.bytes, m.count, ss, ds);
  const bool tiled = m.bytes < 64 && m.count > kTile;
  const size_t blocks = tiled ? kTile : m.count;
  const size_t rows = tiled ? kTile : m.rows;
  for (size_t r0 = 0; r0 < m.rows; r0 += rows) {
    const size_t r1 = std::min(m.rows, r0 + rows);
    for (size_t b0 = 0; b0 < m.count; b0 += blocks) {
      const size_t n = std::min(blocks, m.count - b0);
      for (size_t r = r0; r < r1; ++r) {
        const ptrdiff_t row = static_cast<ptrdiff_t>(r), block = static_cast<ptrdiff_t>(b0);
        moveBlocks(s + row * sr + block * ss, d + row * dr + block * ds, m.bytes, n, ss, ds);
      }
    }
  }
}

}  // namespace

void appendMove(std::vector<Move>& moves, size_t first, char* source, char* destination,
                size_t bytes) {
  if (moves.size() > first) {
    Move& last = moves.back();
    if (last.count == 1) {
      if (last.source + last.bytes == source && last.destination + last.bytes == destination) {
        last.bytes += bytes;
        return;
      }
      if (last.bytes == bytes) {
        last.source_stride = source - last.source;
        last.destination_stride = destination - last.destination;
        last.count = 2;
        return;
      }
    } else if (last.bytes == bytes) {
      const ptrdiff_t n = static_cast<ptrdiff_t>(last.count);
      if (last.source + n * last.source_stride == source &&
          last.destination + n * last.destination_stride == destination) {
        ++last.count;
        return;
      }
    }
  }
  moves.push_back({source, destination, bytes, 1, 1, 0, 0, 0, 0});
}

void stackRows(std::vector<Move>& moves, size_t first) {
  size_t end = first;
  for (size_t i = first; i < moves.size(); ++i) {
    const Move& m = moves[i];
    if (end > first) {
      Move& last = moves[end - 1];
      const ptrdiff_t n = static_cast<ptrdiff_t>(last.rows);
      const bool alike = m.bytes == last.bytes && m.count == last.count &&
                         m.source_stride == last.source_stride &&
                         m.destination_stride == last.destination_stride;
      if (alike && n == 1) {
        last.source_row = m.source - last.source;
        last.destination_row = m.destination - last.destination;
        last.rows = 2;
        continue;
      }
      if (alike && last.source + n * last.source_row == m.source &&
          last.destination + n * last.destination_row == m.destination) {
        ++last.rows;
        continue;
      }
    }
    moves[end++] = m;
  }
  moves.resize(end);
}

std::vector<Move> planMoves(const std::vector<Block>& source,
                            const std::vector<Block>& destination) {
  std::vector<Move> out;
  size_t s = 0, d = 0, s_used = 0, d_used = 0;
  while (s < source.size() && d < destination.size()) {
    const size_t take = std::min(source[s].bytes - s_used, destination[d].bytes - d_used);
    appendMove(out, 0, source[s].address + s_used, destination[d].address + d_used, take);
    s_used += take;
    d_used += take;
    if (s_used == source[s].bytes) {
      ++s;
      s_used = 0;
    }
    if (d_used == destination[d].bytes) {
      ++d;
      d_used = 0;
    }
  }
  stackRows(out, 0);
  return out;
}

bool overlap(std::vector<Block>& a, std::vector<Block>& b) {
  const auto before = [](const Block& x, const Block& y) { return x.address < y.address; };
  std::sort(a.begin(), a.end(), before);
  std::sort(b.begin(), b.end(), before);
  // Blocks of a source may overlap each other (aliases): walk with the furthest end so far.
  size_t i = 0, j = 0;
  const char* a_end = nullptr;
  const char* b_end = nullptr;
  while (i < a.size() || j < b.size()) {
    const bool from_a = j == b.size() || (i < a.size() && a[i].address < b[j].address);
    const Block& next = from_a ? a[i++] : b[j++];
    if (next.address < (from_a ? b_end : a_end)) return true;
    const char*& end = from_a ? a_end : b_end;
    end = std::max<const char*>(end, next.address + next.bytes);
  }
  return false;
}

void runMoves(const Move* moves, size_t n, ptrdiff_t source_base, ptrdiff_t destination_base) {
  for (const Move* m = moves; m != moves + n; ++m) {
    moveRows(*m, m->source + source_base, m->source_stride, m->source_row,
             m->destination + destination_base, m->destination_stride, m->destination_row);
  }
}

void runMovesBack(const Move* moves, size_t n, ptrdiff_t source_base, ptrdiff_t destination_base) {
  for (const Move* m = moves; m != moves + n; ++m) {
    moveRows(*m, m->destination + destination_base, m->destination_stride, m->destination_row,
             m->source + source_base, m->source_stride, m->source_row);
  }
}

}  // namespace emulator
}  // namespace poplar
