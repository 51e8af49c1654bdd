#include "popsnn/codelets.hpp"

#include <map>
#include <set>
#include <sstream>

#include "estimators.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {
namespace {

// The host says how large states and parameters are: a codelet that has others does not compile.
std::string check(const NeuronModel& model, const char* constant, std::size_t value) {
  const std::string number = std::to_string(value);
  return "static_assert(" + model.type + "::" + constant + " == " + number + ", \"" + model.type +
         "::" + constant + ": expected " + number + " as the network has, got another\");\n";
}

// A codelet without one of the functions of its interface does not compile either.
std::string check_function(const NeuronModel& model, const char* trait, const char* function) {
  return std::string("static_assert(popsnn::") + trait + "<" + model.type + ">::value, \"" +
         model.type + ": expected the function " + function + " as neurons/" +
         (model.adjoint ? "forward_model.hpp" : "neuron_model.hpp") +
         " describes it, got none\");\n";
}

std::string checks(const NeuronModel& model) {
  if (model.adjoint)
    return check(model, "kStates", model.grad_states()) +
           check(model, "kParameters", model.numbers.learnable) +
           check(model, "kMembrane", model.membrane) +
           check_function(model, "StepsInPlace", "step") +
           check_function(model, "HasRestore", "restore") +
           check_function(model, "HasPotential", "potential") +
           check_function(model, "HasAdjoint", "adjoint");
  return check(model, "kStates", model.numbers.states) +
         check(model, "kParameters", model.numbers.parameters) +
         check(model, "kLearnable", model.numbers.learnable) +
         check_function(model, "HasStep", "step") + check_function(model, "HasFires", "fires") +
         check_function(model, "HasNear", "near") + check_function(model, "HasGrad", "grad");
}

std::string source(const NeuronModel& model, const std::set<std::string>& vertices) {
  std::string text = std::string(
                         "#include \"neurons/model_functions.hpp\"\n"
                         "#include \"neurons/neuron_step.hpp\"\n") +
                     (model.adjoint ? "#include \"neurons/neuron_adjoint.hpp\"\n"
                                    : "#include \"neurons/neuron_step_grad.hpp\"\n") +
                     "#include \"" + model.codelet + "\"\n" + checks(model);
  for (const std::string& vertex : vertices) text += "template class " + vertex + ";\n";
  return text;
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
  const poplar::Type id_type = short_ids(network) ? poplar::UNSIGNED_SHORT : poplar::UNSIGNED_INT;
  std::map<std::string, NeuronModel> models;
  std::map<std::string, std::set<std::string>> vertices;
  for (const LayerSpec& layer : network.layers) {
    if (layer.kind != LayerKind::SparseLif || layer.model.codelet.empty()) continue;
    for (const std::string& vertex :
         {layer.model.step_vertex(layer.reads(), id_type.toString(), layer.step_weight_type()),
          layer.model.grad_vertex(layer.surrogate, layer.reads())}) {
      if (graph.hasCodelet(vertex)) continue;  // another network of the graph has added it
      models.emplace(layer.model.type, layer.model);
      vertices[layer.model.type].insert(vertex);
    }
  }
  for (const auto& model : models) {
    std::stringstream text(source(model.second, vertices[model.first]));
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
