// The interface of a compiled codelet library (.gp) to the runtime. Plain C, so that popc and the
// runtime may be built by different compilers. One symbol: `const popc_library* popc_library_v1()`.
#pragma once
#include <stddef.h>
#include <stdint.h>

extern "C" {

enum popc_vertex_kind { POPC_VERTEX = 0, POPC_MULTI_VERTEX = 1, POPC_SUPERVISOR_VERTEX = 2 };

enum popc_direction { POPC_INPUT = 0, POPC_OUTPUT = 1, POPC_INOUT = 2, POPC_STATE = 3 };

enum popc_shape {
  POPC_SCALAR = 0,       // Input<T>, or a plain T as state
  POPC_VECTOR = 1,       // Input<Vector<T>>, or Vector<T> as state
  POPC_EDGE_VECTOR = 2,  // Vector<Input<Vector<T>>> (or Vector<Input<T>>: see row_shape)
  POPC_VECTOR_LIST = 3,  // Input<VectorList<T>>
};

struct popc_field {
  const char* name;
  const char* type;    // Poplar's name of the element type: "float", "unsigned short", "half", ...
  uint32_t direction;  // popc_direction
  uint32_t shape;      // popc_shape
  uint32_t row_shape;  // of POPC_EDGE_VECTOR: POPC_SCALAR or POPC_VECTOR
  uint32_t layout;     // poplar::VectorLayout of the (inner) vector, VectorListLayout of a list
  uint32_t outer_layout;  // poplar::VectorLayout of the outer vector of POPC_EDGE_VECTOR
  uint32_t min_align;     // bytes
  uint32_t interleaved;   // 0 or 1
  size_t offset, size;    // bytes, in the vertex object
};

struct popc_vertex {
  const char* name;  // Poplar's spelling: "ns::X<float,4,true>"
  uint32_t kind;     // popc_vertex_kind
  uint32_t num_fields;
  const popc_field* fields;  // [num_fields]
  size_t size, align;        // bytes of the vertex object
  // Runs `count` vertex objects that lie `size` bytes apart from `first`; all workers of a
  // MultiVertex, one after another.
  void (*run)(char* first, size_t count);
  // Runs one worker of a MultiVertex object; NULL for other kinds.
  void (*run_worker)(char* vertex, unsigned worker);
  size_t context;  // offset in the object of its popc_context; 0: it has none
};

// What a vertex may ask its worker for: the runtime's members of poplar::detail::VertexContext.
struct popc_context {
  uint32_t tile, unused;
  uint64_t seed;
};

struct popc_library {
  uint32_t abi;  // 3
  uint32_t num_vertices;
  const popc_vertex* vertices;  // [num_vertices]
};

typedef const popc_library* (*popc_library_fn)(void);

}  // extern "C"
