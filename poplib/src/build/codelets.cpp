#include "popsnn/codelets.hpp"

#include <map>
#include <set>
#include <sstream>

#include "estimators.hpp"

namespace popsnn {
namespace {

// The host says how large states and parameters are: a codelet that has others does not compile.
std::string check(const NeuronModel& model, const char* constant, unsigned value) {
  const std::string number = std::to_string(value);
  return "static_assert(" + model.type + "::" + constant + " == " + number + ", \"" + model.type +
         "::" + constant + ": expected " + number + " as the network has, got another\");\n";
}

// A codelet without one of the functions of neuron_model.hpp does not compile either.
std::string check_function(const NeuronModel& model, const char* trait, const char* function) {
  return std::string("static_assert(popsnn::") + trait + "<" + model.type + ">::value, \"" +
         model.type + ": expected the function " + function +
         " as neurons/neuron_model.hpp describes it, got none\");\n";
}

// The vertices of a model, of those of its layers that step with each type of weights.
std::string source(const NeuronModel& model, const std::set<std::string>& weight_types) {
  std::string text =
      "#include \"neurons/model_functions.hpp\"\n"
      "#include \"neurons/neuron_step.hpp\"\n"
      "#include \"neurons/neuron_step_grad.hpp\"\n"
      "#include \"" +
      model.codelet + "\"\n" + check(model, "kStates", model.numbers.states) +
      check(model, "kParameters", model.numbers.parameters) +
      check(model, "kLearnable", model.numbers.learnable) +
      check_function(model, "HasStep", "step") + check_function(model, "HasFires", "fires") +
      check_function(model, "HasNear", "near") + check_function(model, "HasGrad", "grad");
  for (const std::string& weight_type : weight_types)
    for (const char* id_type : {"unsigned short", "unsigned"})
      text += "template class " + model.step_vertex(id_type, weight_type) + ";\n";
  return text + "template class " + model.grad_vertex() + ";\n";
}

bool has_vertices(const poplar::Graph& graph, const LayerSpec& layer) {
  const std::string id_type = poplar::UNSIGNED_SHORT.toString();
  return graph.hasCodelet(layer.model.step_vertex(id_type, layer.weight_type()));
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// Compiles the custom neurons of `network` against the sources next to the compiled `codelets`.
// Throws poplar::graph_program_compilation_error with popc's messages.
void add_neuron_codelets(poplar::Graph& graph, const NetworkSpec& network,
                         const std::string& codelets) {
  // Products and sums that are fused here and not there could make `fires` differ with the vertex.
  const std::string exact = POPSNN_CODELET_FLAGS " -ffp-contract=off";
  // A model's header includes neuron_model.hpp without the name of its folder.
  const std::string folder = folder_of(codelets);
  const std::string flags = exact + " \"-I" + folder + "\" \"-I" + folder + "/neurons\"";
  std::map<std::string, NeuronModel> models;
  std::map<std::string, std::set<std::string>> weight_types;
  for (const LayerSpec& layer : network.layers) {
    if (layer.kind != LayerKind::SparseLif || layer.model.codelet.empty()) continue;
    if (has_vertices(graph, layer)) continue;  // another network of the graph has added them
    models.emplace(layer.model.type, layer.model);
    weight_types[layer.model.type].insert(layer.weight_type());
  }
  for (const auto& model : models) {
    std::istringstream text(source(model.second, weight_types[model.first]));
    graph.addCodelets(text, flags);
  }
}

}  // namespace

void add_codelets(poplar::Graph& graph, const NetworkSpec& network, const std::string& codelets) {
  if (!graph.hasCodelet("popsnn::CountStep")) graph.addCodelets(codelets);
  add_neuron_codelets(graph, network, codelets);
  add_estimators(graph, network);
}

}  // namespace popsnn
