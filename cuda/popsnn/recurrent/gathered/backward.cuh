// Backward of a layer that gathers the weights of neurons whose spikes have a gradient.
#pragma once

#include <popsnn/recurrent/gathered/active.cuh>
#include <popsnn/recurrent/gathered/cells.cuh>
#include <popsnn/recurrent/gathered/rows.cuh>
#include <popsnn/recurrent/streamed/backward.cuh>

namespace popsnn {

template <class Shape, class Neuron, class Gradient, class T, int kVector, bool kMembranes,
          bool kLearn>
POPSNN_DEVICE void recurrent_gathered_backward(const GatheredArguments& a) {
  using Cells = StreamedBackward<Shape, Neuron, Gradient, T, kVector, kMembranes, kLearn>;
  GatheredBlock<Shape, GradientExchange<Shape>, Cells>(a).run();
}

}  // namespace popsnn
