// Bundles of the functions of Lif.
#pragma once
#include "neuron_step.cycles.hpp"

namespace popsnn {
namespace cycles {

// step: the reset's choice 2, f32sub, select, f32mul, f32add. fires, near: f32cmp.
// grad: carry 1; by_spike 2; to_spike 3; v - theta, f32mul and select 3; through_reset 2; the
// parameters' 6; f32add.
// lif_step: 20 bundles a pair of neurons. lif_grad: 26, two of which are f32oox.
constexpr NeuronCycles kLif = {1, 3, 2, 6, 1, 1, 18, 20, 26 + 2 * (kFloatDivide - 1)};

}  // namespace cycles
}  // namespace popsnn
