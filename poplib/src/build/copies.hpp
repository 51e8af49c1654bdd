// Many pieces copied at once.
#pragma once
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace popsnn {

struct Pieces {
  std::vector<poplar::Tensor> from, to;
};

// A copy for each type of the pieces, none where there are none.
inline void add_copies(poplar::program::Sequence& program, const Pieces& pieces) {
  for (const poplar::Type& type : {poplar::FLOAT, poplar::HALF}) {
    Pieces alike;
    for (std::size_t i = 0; i < pieces.from.size(); ++i) {
      if (pieces.from[i].elementType() != type) continue;
      alike.from.push_back(pieces.from[i]);
      alike.to.push_back(pieces.to[i]);
    }
    if (!alike.from.empty())
      program.add(poplar::program::Copy(poplar::concat(alike.from), poplar::concat(alike.to)));
  }
}

}  // namespace popsnn
