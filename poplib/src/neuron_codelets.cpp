#include "neuron_codelets.hpp"

#include <set>
#include <sstream>

namespace popsnn {
namespace {

// The host says how large states and parameters are: a codelet that has others does not compile.
std::string check(const NeuronModel& model, const char* constant, unsigned value) {
  const std::string number = std::to_string(value);
  return "static_assert(" + model.type + "::" + constant + " == " + number + ", \"" + model.type +
         "::" + constant + ": expected " + number + " as the network has, got another\");\n";
}

std::string source(const NeuronModel& model) {
  const std::string& type = model.type;
  return "#include \"neuron_step.hpp\"\n"
         "#include \"neuron_step_grad.hpp\"\n"
         "#include \"" +
         model.codelet + "\"\n" + check(model, "kStates", model.numbers.states) +
         check(model, "kParameters", model.numbers.parameters) +
         check(model, "kLearnable", model.numbers.learnable) +
         "template class popsnn::NeuronStep<" + type +
         ", unsigned short>;\n"
         "template class popsnn::NeuronStep<" +
         type +
         ", unsigned>;\n"
         "template class popsnn::NeuronStepGrad<" +
         type + ">;\n";
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

}  // namespace

void add_neuron_codelets(poplar::Graph& graph, const NetworkSpec& network,
                         const std::string& codelets) {
  // Products and sums that are fused here and not there could make `fires` differ with the vertex.
  const std::string flags =
      POPSNN_CODELET_FLAGS " -ffp-contract=off \"-I" + folder_of(codelets) + "\"";
  std::set<std::string> added;
  for (const LayerSpec& layer : network.layers) {
    const NeuronModel& model = layer.model;
    if (layer.kind != LayerKind::SparseLif || model.codelet.empty()) continue;
    if (!added.insert(model.type).second) continue;
    std::istringstream text(source(model));
    graph.addCodelets(text, flags);
  }
}

}  // namespace popsnn
