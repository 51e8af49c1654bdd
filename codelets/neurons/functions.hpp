// The names that the text of a neuron with an adjoint (forward_model.hpp) uses, as CUDA's kernels
// have them: the same text is compiled for both.
#pragma once

#define POPSNN_DEVICE inline

namespace popsnn {

// Rounds twice: x86-64 without extensions has no instruction for it, and std::fma would call a
// function for every neuron.
inline float fma(float a, float b, float c) { return a * b + c; }

}  // namespace popsnn
