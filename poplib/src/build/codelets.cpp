#include "popsnn/codelets.hpp"

#include "estimators.hpp"
#include "neuron_codelets.hpp"

namespace popsnn {

void add_codelets(poplar::Graph& graph, const NetworkSpec& network, const std::string& codelets) {
  if (!graph.hasCodelet("popsnn::CountStep")) graph.addCodelets(codelets);
  add_neuron_codelets(graph, network, codelets);
  add_estimators(graph, network);
}

}  // namespace popsnn
