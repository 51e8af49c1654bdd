// The order in which a loop in the IPU's assembly adds a row's pairs of columns (ahead_ipu.hpp).
#pragma once

namespace popsnn {
namespace ipu {

// For interleaved memory, which alternates between two elements by pairs. A bundle loads a pair and
// stores the sum of the pair that was loaded two bundles before: those two are an odd number of
// pairs apart and do not meet.
//
// From pair to pair the pointers move by 2, -1, 2, 1 and so on: 0, 2, 1, 3, 4, 6 ... Where two
// pairs are left after whole turns of four the turn begins with its last move: 0, 1, 3, 2, 4, 5.
template <unsigned Pairs>
struct PairOrder {
  static_assert(Pairs >= 4, "a turn of four pairs");

  // Two strides of 10 bits, which the modes 1 and 2 choose; 0 is a move by 1.
  static constexpr unsigned kStrides = 2 | (1023u << 10);

  // The mode of the move from the n-th pair to the next.
  static constexpr unsigned move(unsigned n) {
    const unsigned at = (n + (Pairs % 4 == 2 ? 3 : 0)) % 4;
    return at == 1 ? 2 : at == 3 ? 0 : 1;
  }
  static constexpr unsigned loads(unsigned n) { return move(n) | move(n) << 2; }
  // Of the bundle that loads the n-th pair and stores the one two before.
  static constexpr unsigned all(unsigned n) { return loads(n) | move(n - 2) << 4; }

  static constexpr unsigned kTurns = (Pairs - 2) / 4, kLeft = (Pairs - 2) % 4;
};

}  // namespace ipu
}  // namespace popsnn
