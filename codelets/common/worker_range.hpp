// Ranges of workers without a division, for which the chip has no instruction and no high half of a
// product: a compiler needs 17 bundles for a quotient by 6, which many vertices take twice for each
// sample.
#pragma once

namespace popsnn {

// n / divisor: a product and a shift where the product fits into 32 bits.
template <unsigned divisor>
inline unsigned quotient(unsigned n) {
  constexpr unsigned shift = 18;
  constexpr unsigned reciprocal = ((1u << shift) + divisor - 1) / divisor;
  constexpr unsigned most = ~0u / reciprocal;  // 98,303 for 6 workers
  // The reciprocal is too large by error / (divisor << shift), which adds less than 1 / divisor.
  constexpr unsigned error = reciprocal * divisor - (1u << shift);
  static_assert(error == 0 || most < (1u << shift) / error, "quotients are exact");
  return n <= most ? n * reciprocal >> shift : n / divisor;
}

// The first of `total` elements that is the worker's; its range ends where the next one's begins.
inline unsigned worker_begin(unsigned total, unsigned worker, unsigned workers) {
  return workers == 6 ? quotient<6>(total * worker) : total * worker / workers;
}

}  // namespace popsnn
