// From an expression to the program of the Map vertices that evaluate it.
#pragma once
#include <poplar/Tensor.hpp>
#include <popops/Expr.hpp>
#include <string>
#include <vector>

namespace popops {

struct MapProgram {
  std::vector<unsigned> code;    // codelets/map_code.hpp
  std::vector<unsigned> inputs;  // 0-based placeholders that are loaded, each once
  unsigned kind;                 // map_code::Kind of the result
  poplar::Type type;             // of the result
};

// Throws poplibs_error where types do not agree, or an operation has no meaning for its type.
MapProgram makeMapProgram(const expr::Expr& expr, const std::vector<poplar::Type>& types,
                          const char* operation);

// Name of the field of Map for inputs of `type`, and of the type itself reduced to its size.
const char* mapInputField(poplar::Type type);
poplar::Type sizeType(poplar::Type type);
// `t` as that type.
poplar::Tensor asBits(const poplar::Tensor& t);

}  // namespace popops
