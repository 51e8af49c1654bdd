// Backward of a layer that gathers the weights of neurons whose spikes have a gradient.
#pragma once

#include <popsnn/recurrent/gathered/active.cuh>
#include <popsnn/recurrent/gathered/cells.cuh>
#include <popsnn/recurrent/gathered/dots.cuh>
#include <popsnn/recurrent/gathered/rows.cuh>
#include <popsnn/recurrent/streamed/backward.cuh>

namespace popsnn {

template <class Shape, bool kOneSample>
struct ProductOf {
  using Type = GradientProduct<Shape>;
};

template <class Shape>
struct ProductOf<Shape, true> {
  using Type = GradientDots<Shape>;
};

template <class Shape, class Neuron, class Gradient, class T, int kVector, bool kMembranes,
          bool kLearn>
POPSNN_DEVICE void recurrent_gathered_backward(const GatheredArguments& a) {
  using Cells = StreamedBackward<Shape, Neuron, Gradient, T, kVector, kMembranes, kLearn>;
  using Product = typename ProductOf<Shape, Shape::kListSamples == 1>::Type;
  GatheredBlock<Shape, GradientExchange<Shape, Product>, Cells>(a).run();
}

}  // namespace popsnn
