// Tensors that a graph's other parts have made, as a network's variables.
#pragma once
#include <string>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "build/tensors.hpp"

namespace popsnn {

// Makes variables of what is given: where it lies as they would it is used itself, else `program`
// copies it to variables of its own.
class Settler {
 public:
  Settler(poplar::Graph& graph, poplar::program::Sequence& program)
      : graph_(graph), program_(program) {}

  // `given`: [rows, neurons]. Floats become halves where `type` asks.
  TilePieces pieces(const LayerSpec& layer, const LayerPlan& where, const poplar::Tensor& given,
                    const poplar::Type& type, const std::string& name);

  // The same, never used itself: what a pass writes is its own.
  TilePieces copied_pieces(const LayerSpec& layer, const LayerPlan& where,
                           const poplar::Tensor& given, const poplar::Type& type,
                           const std::string& name);

  // `given`: [batch, row...].
  poplar::Tensor by_sample(const ListPlan& where, const poplar::Tensor& given,
                           const std::string& name);

 private:
  // Whether each of `parts` lies on its tile in one piece.
  bool lies(const std::vector<poplar::Tensor>& parts, const std::vector<std::size_t>& tiles) const;

  poplar::Graph& graph_;
  poplar::program::Sequence& program_;
};

}  // namespace popsnn
