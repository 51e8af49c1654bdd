#ifndef poplar_exceptions_hpp
#define poplar_exceptions_hpp

#include <cstddef>
#include <stdexcept>
#include <string>

namespace poplar {

struct poplar_error : std::runtime_error {
  explicit poplar_error(const std::string& message) : std::runtime_error(message) {}
  /// The class of the error, as thrown.
  const char* type = "poplar_error";
};

#define POPLAR_EXCEPTION(NAME, BASE)                                            \
  struct NAME : BASE {                                                          \
    explicit NAME(const std::string& message) : BASE(message) { type = #NAME; } \
  }

POPLAR_EXCEPTION(runtime_error, poplar_error);
POPLAR_EXCEPTION(application_runtime_error, runtime_error);
POPLAR_EXCEPTION(system_runtime_error, runtime_error);
POPLAR_EXCEPTION(unknown_runtime_error, runtime_error);
POPLAR_EXCEPTION(unrecoverable_runtime_error, system_runtime_error);

enum class RecoveryAction { IPU_RESET, LINK_RESET, PARTITION_RESET, FULL_RESET };

struct recoverable_runtime_error : system_runtime_error {
  recoverable_runtime_error(RecoveryAction action, const std::string& message)
      : system_runtime_error(message), action_(action) {
    type = "recoverable_runtime_error";
  }
  RecoveryAction getRecoveryAction() const { return action_; }

 private:
  RecoveryAction action_;
};

POPLAR_EXCEPTION(control_program_error, poplar_error);
POPLAR_EXCEPTION(file_load_error, poplar_error);
POPLAR_EXCEPTION(graph_connection_error, poplar_error);
POPLAR_EXCEPTION(graph_cycle_error, poplar_error);
POPLAR_EXCEPTION(graph_object_creation_error, poplar_error);
POPLAR_EXCEPTION(graph_object_load_error, poplar_error);
POPLAR_EXCEPTION(graph_program_compilation_error, poplar_error);
POPLAR_EXCEPTION(graph_recursion_error, poplar_error);
POPLAR_EXCEPTION(graph_replication_error, poplar_error);
POPLAR_EXCEPTION(index_error, poplar_error);
POPLAR_EXCEPTION(invalid_machine_model, poplar_error);
POPLAR_EXCEPTION(invalid_option, poplar_error);
POPLAR_EXCEPTION(invalid_tile_mapping, poplar_error);
POPLAR_EXCEPTION(link_error, poplar_error);
POPLAR_EXCEPTION(memory_elem_constraints_error, poplar_error);
POPLAR_EXCEPTION(missing_perf_estimate, poplar_error);
POPLAR_EXCEPTION(no_environment, poplar_error);
POPLAR_EXCEPTION(no_size_specified, poplar_error);
POPLAR_EXCEPTION(overflow_error, poplar_error);
POPLAR_EXCEPTION(parse_error, poplar_error);
POPLAR_EXCEPTION(profiling_disabled, poplar_error);
POPLAR_EXCEPTION(stream_connection_error, poplar_error);
POPLAR_EXCEPTION(stream_memory_allocation_error, poplar_error);
POPLAR_EXCEPTION(symbol_error, poplar_error);
POPLAR_EXCEPTION(tensor_creation_error, poplar_error);
POPLAR_EXCEPTION(tensor_io_state_error, poplar_error);
POPLAR_EXCEPTION(type_error, poplar_error);
POPLAR_EXCEPTION(unknown_field, poplar_error);
POPLAR_EXCEPTION(unknown_vertex_type, poplar_error);

#undef POPLAR_EXCEPTION

struct graph_memory_allocation_error : poplar_error {
  explicit graph_memory_allocation_error(const std::string& message) : poplar_error(message) {
    type = "graph_memory_allocation_error";
  }
  /// Where the profile of the failed compilation was written; empty when none was.
  std::string profilePath;
};

}  // namespace poplar

#endif  // poplar_exceptions_hpp
