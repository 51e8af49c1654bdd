// Forward of a layer that gathers the weights of neurons that fired.
#pragma once

#include <popsnn/recurrent/gathered/cells.cuh>
#include <popsnn/recurrent/gathered/product.cuh>
#include <popsnn/recurrent/streamed/forward.cuh>

namespace popsnn {

// A warp polls kLoads windows of kWindow words at once, which are all lists that it reads.
template <class Shape, int kWindow, int kLoads, class Neuron, class T, int kVector>
POPSNN_DEVICE void recurrent_gathered_forward(const GatheredArguments& a) {
  using Cells = StreamedForward<Shape, Neuron, T, kVector>;
  GatheredBlock<Shape, SpikeExchange<Shape, kWindow, kLoads>, Cells>(a).run();
}

}  // namespace popsnn
