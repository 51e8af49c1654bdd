// A vertex type with the names of its fields, for messages: "Sum(in, out)".
#pragma once
#include <string>

#include "compile/codelet_abi.h"

namespace poplar {
namespace emulator {

inline std::string withFields(const popc_vertex& vertex) {
  std::string text = vertex.name;
  for (uint32_t i = 0; i < vertex.num_fields; ++i) {
    text += i == 0 ? "(" : ", ";
    text += vertex.fields[i].name;
  }
  return vertex.num_fields == 0 ? text : text + ")";
}

}  // namespace emulator
}  // namespace poplar
