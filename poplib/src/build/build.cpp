#include "popsnn/build.hpp"

#include "backward.hpp"
#include "forward.hpp"
#include "program_table.hpp"
#include "streams.hpp"
#include "tensors.hpp"
#include "update.hpp"

namespace popsnn {

const char* program_name(ProgramId id) {
  static const char* const names[] = {
      "write_parameters", "write_neurons",  "read_parameters", "forward",        "backward",
      "read_gradients",   "read_counts",    "read_spikes",     "read_membranes", "read_states",
      "update",           "read_optimizer", "write_optimizer"};
  return names[unsigned(id)];
}

std::string stream_handle(ProgramId id, const std::string& name) {
  return std::string(program_name(id)) + "/" + name;
}

BuiltNetwork build_network(poplar::Graph& graph, const NetworkSpec& network, const Plan& plan,
                           bool count_cycles) {
  const NetworkTensors tensors = add_tensors(graph, network, plan);
  ProgramTable table(graph);
  const StreamPrograms stream_programs = add_streams(table, network, plan, tensors);
  const ForwardPrograms forward =
      build_forward(graph, network, plan, tensors, stream_programs.interval_end);
  table.add(ProgramId::Forward, forward.program);
  table.add(ProgramId::Backward, build_backward(graph, network, plan, tensors, forward.neurons,
                                                stream_programs.first_step_end));
  table.add(ProgramId::Backward, build_gradient_sums(graph, network, plan, tensors));
  table.add(ProgramId::Update, build_update(graph, network, plan, tensors));
  if (count_cycles)
    for (const ProgramId id : {ProgramId::Forward, ProgramId::Backward, ProgramId::Update})
      table.count_cycles(id);
  return table.finish();
}

}  // namespace popsnn
