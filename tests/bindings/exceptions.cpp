// Every exception of the API, under its C++ name, derived from RuntimeError; for this module alone.
#include <pybind11/pybind11.h>

#include <poplar/exceptions.hpp>
#include <poputil/exceptions.hpp>

namespace py = pybind11;

void register_exceptions(py::module_& m) {
  using namespace poplar;
  // pybind11 tries the last one first, so that a base comes before what derives from it.
  const auto error =
      py::register_local_exception<poplar_error>(m, "poplar_error", PyExc_RuntimeError);
  const auto runtime =
      py::register_local_exception<poplar::runtime_error>(m, "runtime_error", error);
  py::register_local_exception<application_runtime_error>(m, "application_runtime_error", runtime);
  const auto system =
      py::register_local_exception<system_runtime_error>(m, "system_runtime_error", runtime);
  py::register_local_exception<unknown_runtime_error>(m, "unknown_runtime_error", runtime);
  py::register_local_exception<recoverable_runtime_error>(m, "recoverable_runtime_error", system);
  py::register_local_exception<unrecoverable_runtime_error>(m, "unrecoverable_runtime_error",
                                                            system);
#define POPLAR_REGISTER(NAME) py::register_local_exception<NAME>(m, #NAME, error)
  POPLAR_REGISTER(control_program_error);
  POPLAR_REGISTER(file_load_error);
  POPLAR_REGISTER(graph_connection_error);
  POPLAR_REGISTER(graph_cycle_error);
  POPLAR_REGISTER(graph_memory_allocation_error);
  POPLAR_REGISTER(graph_object_creation_error);
  POPLAR_REGISTER(graph_object_load_error);
  POPLAR_REGISTER(graph_program_compilation_error);
  POPLAR_REGISTER(graph_recursion_error);
  POPLAR_REGISTER(graph_replication_error);
  POPLAR_REGISTER(index_error);
  POPLAR_REGISTER(invalid_machine_model);
  POPLAR_REGISTER(invalid_option);
  POPLAR_REGISTER(invalid_tile_mapping);
  POPLAR_REGISTER(link_error);
  POPLAR_REGISTER(memory_elem_constraints_error);
  POPLAR_REGISTER(missing_perf_estimate);
  POPLAR_REGISTER(no_environment);
  POPLAR_REGISTER(no_size_specified);
  POPLAR_REGISTER(overflow_error);
  POPLAR_REGISTER(parse_error);
  POPLAR_REGISTER(profiling_disabled);
  POPLAR_REGISTER(stream_connection_error);
  POPLAR_REGISTER(stream_memory_allocation_error);
  POPLAR_REGISTER(symbol_error);
  POPLAR_REGISTER(tensor_creation_error);
  POPLAR_REGISTER(tensor_io_state_error);
  POPLAR_REGISTER(type_error);
  POPLAR_REGISTER(unknown_field);
  POPLAR_REGISTER(unknown_vertex_type);
#undef POPLAR_REGISTER
  py::register_local_exception<poputil::poplibs_error>(m, "poplibs_error", PyExc_RuntimeError);
}
