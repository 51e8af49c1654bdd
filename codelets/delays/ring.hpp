// A ring of rows of currents in time: the row of time step t is row t mod `slots`.
#pragma once

namespace popsnn {

// t mod slots, for t below 2^24. The IPU has no integer division; a float's quotient is within one.
inline unsigned ring_slot(unsigned t, unsigned slots) {
  const unsigned quotient = unsigned(float(t) / float(slots));
  const int rest = int(t) - int(quotient * slots);
  if (rest < 0) return unsigned(rest + int(slots));
  return unsigned(rest) < slots ? unsigned(rest) : unsigned(rest) - slots;
}

// The slot `steps` later, of steps below `slots`.
inline unsigned later_slot(unsigned slot, unsigned steps, unsigned slots) {
  const unsigned later = slot + steps;
  return later < slots ? later : later - slots;
}

// Rows of the taps of a source's delays: none where it has no delays, one where every delay is one
// tap of weight 1, whose row holds the steps; else the weights of the taps of 0, 1, 2 ... steps.
constexpr unsigned kUndelayed = 0, kWhole = 1;

}  // namespace popsnn
