// Runs the convolutions that standard input describes, each a number of tiles and parameters in
// JSON: forwards, and the gradients of the input, the weights and the biases.
#include <iostream>
#include <poplin/ConvUtil.hpp>
#include <poplin/Convolution.hpp>
#include <poplin/codelets.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

static Tensor filled(Case& c, const std::string& name, const Tensor& t, std::uint32_t seed) {
  c.fill(t, numbers(t.numElements(), -1, 1, false, seed));
  c.show(name, t);
  return t;
}

static void run(unsigned number, unsigned tiles, const poplin::ConvParams& params) {
  Case c(std::to_string(number), tiles);
  Graph& g = c.graph;
  popops::addCodelets(g);
  poplin::addCodelets(g);
  poplin::PlanningCache cache;
  const OptionFlags options = {{"partialsType", "half"}, {"pass", "TRAINING_FWD"}};
  const Tensor in = filled(c, "in", poplin::createInput(g, params, "in", options, &cache), 1);
  const Tensor w = filled(c, "weights", poplin::createWeights(g, params, "w", options, &cache), 2);
  Tensor out = poplin::convolution(g, in, w, params, false, c.prog, "fwd", options, &cache);
  if (cache.size() != 1) throw std::runtime_error("expected one entry in the cache");
  c.output("out", out);
  const Tensor whole = poplin::createConvOutput(g, params, "whole", options);
  poplin::convolutionWithOutput(g, in, w, whole, params, false, c.prog);
  c.output("whole", whole);

  const poplin::ConvParams backward = poplin::getGradientParams(params);
  const Tensor z = filled(c, "z", poplin::createInput(g, backward, "z"), 3);
  c.output("in_gradient", poplin::convolution(g, z, w, backward, true, c.prog));
  c.output("weights_gradient",
           poplin::calculateWeightDeltas(g, z, in, params, c.prog, "wu", options));
  const Tensor updated = c.graph.clone(w);
  c.prog.add(Copy(w, updated));
  poplin::convolutionWeightUpdate(g, z, updated, in, params, -0.5f, c.prog);
  const Tensor scale = c.input("scale", FLOAT, {}, {0.25});
  poplin::convolutionWeightUpdate(g, z, updated, in, params, scale, c.prog);
  c.output("updated", updated);

  const Tensor biases = filled(c, "biases", poplin::createBiases(g, out), 4);
  poplin::addBias(g, out, biases, c.prog);
  c.output("biased", out);
  poplin::convolutionBiasUpdate(g, z, biases, 2.0f, {}, c.prog);
  c.output("biases_updated", biases);
  c.run();
}

int main() {
  unsigned tiles = 0;
  for (unsigned number = 0; std::cin >> tiles; ++number) {
    poplin::ConvParams params;
    std::cin >> params;
    run(number, tiles, params);
  }
}
