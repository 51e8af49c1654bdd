// The vertex types of a translation unit, read from its debug information.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compile/codelet_abi.h"
#include "dwarf.hpp"

namespace popc {

struct Field {
  std::string name, type;
  popc_direction direction = POPC_STATE;
  popc_shape shape = POPC_SCALAR, row_shape = POPC_SCALAR;
  uint32_t layout = 0, outer_layout = 0, min_align = 0, interleaved = 0;
  uint64_t offset = 0, size = 0;
};

struct VertexType {
  std::string name;         // as Poplar spells it
  std::string source_name;  // as C++ source spells it
  popc_vertex_kind kind = POPC_VERTEX;
  uint64_t size = 0;
  std::vector<Field> fields;
};

// Every complete class that derives from a poplar vertex class and has a compute(). What Poplar
// does not allow in a vertex is put into `errors`, one sentence each.
std::vector<VertexType> findVertexTypes(const Dwarf& dwarf, std::vector<std::string>& errors);

}  // namespace popc
