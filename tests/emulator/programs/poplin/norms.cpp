// Normalisations of batches, groups, instances and layers, with their gradients.
#include <poplin/codelets.hpp>
#include <popnn/BatchNorm.hpp>
#include <popnn/GroupNorm.hpp>
#include <popnn/InstanceNorm.hpp>
#include <popnn/LayerNorm.hpp>
#include <popnn/Norms.hpp>
#include <popops/ElementWise.hpp>
#include <popops/codelets.hpp>

#include "../harness.hpp"

using Shape = std::vector<std::size_t>;
using Pair = std::pair<Tensor, Tensor>;

static constexpr float kEps = 0.01f;

struct NormCase : Case {
  NormCase(const std::string& name, Type type, const Shape& shape) : Case(name, 5) {
    popops::addCodelets(graph);
    poplin::addCodelets(graph);
    std::size_t n = 1;
    for (std::size_t d : shape) n *= d;
    acts = input("acts", type, shape, numbers(n, -1, 3, false, 1));
    grads = input("grads", type, shape, numbers(n, -1, 1, false, 2));
    const Pair parameters = popnn::createNormParams(graph, acts);
    gamma = parameters.first;
    beta = parameters.second;
    fill(gamma, numbers(shape[1], 0.5, 1.5, false, 3));
    fill(beta, numbers(shape[1], -1, 1, false, 4));
    show("gamma", gamma);
    show("beta", beta);
  }
  void outputs(const Pair& statistics, const Pair& normalised, const Pair& parameters,
               const Pair& again, const Tensor& gradient, const Tensor& gradient_again) {
    output("mean", statistics.first);
    output("inv", statistics.second);
    output("out", normalised.first);
    output("whitened", normalised.second);
    output("gamma_gradient", parameters.first);
    output("beta_gradient", parameters.second);
    output("gamma_again", again.first);
    output("beta_again", again.second);
    output("gradient", gradient);
    output("gradient_again", gradient_again);
  }
  Tensor acts, grads, gamma, beta;
};

static void batch(const std::string& name, Type type, const Shape& shape, bool stable) {
  using namespace popnn::bn;
  NormCase c(name, type, shape);
  Graph& g = c.graph;
  Sequence& p = c.prog;
  const Pair s = batchNormStatistics(g, c.acts, kEps, p, false, stable);
  const Pair unbiased = batchNormStatistics(g, c.acts, kEps, p, true, stable);
  c.output("unbiased", unbiased.second);
  const Pair n = batchNormalise(g, c.acts, c.gamma, c.beta, s.first, s.second, p);
  c.outputs(s, n, batchNormParamGradients(g, n.second, c.grads, p),
            batchNormParamGradients(g, c.acts, c.grads, s.first, s.second, p),
            batchNormGradients(g, n.second, c.grads, s.second, c.gamma, p),
            batchNormGradients(g, c.acts, c.grads, s.first, s.second, c.gamma, p));
  c.output("plain", batchNormalise(g, c.acts, c.gamma, c.beta, p));
  const Pair deltas = batchNormParamGradients(g, n.second, c.grads, p);
  Tensor gamma = g.clone(c.gamma), beta = g.clone(c.beta);
  p.add(Copy(c.gamma, gamma));
  p.add(Copy(c.beta, beta));
  const Tensor scale = c.input("scale", type, {}, {0.25});
  batchNormParamUpdate(g, deltas.first, deltas.second, -0.5f, gamma, beta, p);
  batchNormParamUpdate(g, deltas.first, deltas.second, scale, gamma, beta, p);
  c.output("gamma_updated", gamma);
  c.output("beta_updated", beta);
  c.run();
}

// Three replicas of the same samples.
static void distributed(bool stable) {
  using namespace popnn::bn;
  NormCase c(stable ? "distributed stable" : "distributed", FLOAT, {2, 3, 4});
  Graph& g = c.graph;
  const poplin::DistributedNormReduceCallback callback =
      [](Graph& graph, const std::vector<Tensor>& in, Sequence& prog, unsigned size,
         const DebugContext& dc, const OptionFlags&) {
        std::vector<Tensor> out;
        for (const Tensor& t : in) {
          out.push_back(popops::mul(graph, t, static_cast<float>(size), prog, dc));
        }
        return out;
      };
  const Pair s = distributedBatchNormStatistics(g, c.acts, kEps, c.prog, true, callback, 6, stable);
  c.output("mean", s.first);
  c.output("inv", s.second);
  const Tensor whitened = batchNormWhiten(g, c.acts, s.first, s.second, c.prog);
  c.output("whitened", whitened);
  c.output("gradient", distributedBatchNormGradients(g, whitened, c.grads, s.second, c.gamma,
                                                     c.prog, callback, 6));
  c.output("gradient_again", distributedBatchNormGradients(g, c.acts, c.grads, s.first, s.second,
                                                           c.gamma, c.prog, callback, 6));
  Sequence unused;
  expectError("norm size", [&] {
    distributedBatchNormStatistics(g, c.acts, kEps, unused, true, callback, 5, stable);
  });
  c.run();
}

static void group(const std::string& name, Type type, const Shape& shape, unsigned groups,
                  bool strided, bool stable) {
  using namespace popnn::gn;
  const OptionFlags options = {{"groupNormStridedChannelGrouping", strided ? "true" : "false"}};
  NormCase c(name, type, shape);
  Graph& g = c.graph;
  Sequence& p = c.prog;
  const Pair s = groupNormStatistics(g, c.acts, kEps, p, groups, false, stable, FLOAT, {}, options);
  const Pair n = groupNormalise(g, c.acts, c.gamma, c.beta, s.first, s.second, p, {}, options);
  c.outputs(
      s, n, groupNormParamGradients(g, n.second, c.grads, p, FLOAT, {}, options),
      groupNormParamGradients(g, c.acts, c.grads, s.first, s.second, p, FLOAT, {}, options),
      groupNormGradients(g, n.second, c.grads, s.second, c.gamma, p, FLOAT, {}, options),
      groupNormGradients(g, c.acts, c.grads, s.first, s.second, c.gamma, p, FLOAT, {}, options));
  c.run();
}

static void instance(const Shape& shape) {
  using namespace popnn::in;
  NormCase c("instance", FLOAT, shape);
  Graph& g = c.graph;
  Sequence& p = c.prog;
  const Pair s = instanceNormStatistics(g, c.acts, kEps, p, false, true);
  const Pair n = instanceNormalise(g, c.acts, c.gamma, c.beta, s.first, s.second, p);
  c.outputs(s, n, instanceNormParamGradients(g, n.second, c.grads, p),
            instanceNormParamGradients(g, c.acts, c.grads, s.first, s.second, p),
            instanceNormGradients(g, n.second, c.grads, s.second, c.gamma, p),
            instanceNormGradients(g, c.acts, c.grads, s.first, s.second, c.gamma, p));
  c.output("white", instanceNormWhiten(g, c.acts, s.first, s.second, p));
  Tensor gamma = g.clone(c.gamma), beta = g.clone(c.beta);
  p.add(Copy(c.gamma, gamma));
  p.add(Copy(c.beta, beta));
  instanceNormParamUpdate(g, c.gamma, c.beta, 2.0f, gamma, beta, p);
  c.output("gamma_updated", gamma);
  c.output("beta_updated", beta);
  c.run();
}

static void layer(const Shape& shape) {
  using namespace popnn::ln;
  NormCase c("layer", FLOAT, shape);
  Graph& g = c.graph;
  Sequence& p = c.prog;
  const Pair s = layerNormStatistics(g, c.acts, kEps, p, false);
  const Pair n = layerNormalise(g, c.acts, c.gamma, c.beta, s.first, s.second, p);
  c.outputs(s, n, layerNormParamGradients(g, n.second, c.grads, p),
            layerNormParamGradients(g, c.acts, c.grads, s.first, s.second, p),
            layerNormGradients(g, n.second, c.grads, s.second, c.gamma, p),
            layerNormGradients(g, c.acts, c.grads, s.first, s.second, c.gamma, p));
  c.output("white", layerNormWhiten(g, c.acts, s.first, s.second, p));
  Tensor gamma = g.clone(c.gamma), beta = g.clone(c.beta);
  p.add(Copy(c.gamma, gamma));
  p.add(Copy(c.beta, beta));
  layerNormParamUpdate(g, c.gamma, c.beta, 2.0f, gamma, beta, p);
  c.output("gamma_updated", gamma);
  c.output("beta_updated", beta);
  c.run();
}

// No samples, or nothing in a channel: a mean of 0.
static void nothing(const std::string& name, const Shape& shape) {
  NormCase c(name, FLOAT, shape);
  const Pair s = popnn::gn::groupNormStatistics(c.graph, c.acts, 1, c.prog, 1, false, true);
  c.output("mean", s.first);
  c.output("inv", s.second);
  c.run();
}

static void misuse() {
  Case c("misuse");
  Graph& g = c.graph;
  Sequence p;
  const Tensor t = c.input("t", FLOAT, {2, 6, 3}, {1}), v = t[0][0];
  expectError("rank", [&] { popnn::bn::batchNormStatistics(g, v, kEps, p, false); });
  expectError("groups", [&] { popnn::gn::groupNormStatistics(g, t, kEps, p, 4, false); });
  expectError("statistics", [&] { popnn::gn::groupNormWhiten(g, t, v, v, p); });
  expectError("mean", [&] { popnn::bn::batchNormWhiten(g, t, v, v, p); });
  expectError("gradients", [&] { popnn::bn::batchNormParamGradients(g, t, t[0], p); });
  const Tensor two = t.flatten().slice(0, 2);
  const auto wrong = [&] {
    popnn::gn::groupNormWhiten(g, t, two, two, p, {}, {{"strided", "true"}});
  };
  expectError("option", [&] {
    try {
      wrong();
    } catch (const invalid_option& e) {
      throw poputil::poplibs_error(e.what());
    }
  });
}

int main() {
  batch("batch", FLOAT, {4, 3, 5, 2}, false);
  batch("batch stable", FLOAT, {4, 3, 5}, true);
  batch("batch half", HALF, {4, 3, 8}, false);
  batch("batch dense", FLOAT, {6, 3}, true);
  distributed(false);
  distributed(true);
  group("group", FLOAT, {2, 6, 3, 2}, 3, false, false);
  group("group strided", FLOAT, {2, 6, 5}, 2, true, true);
  group("group half", HALF, {3, 4, 8}, 2, true, true);
  group("group dense", FLOAT, {3, 8}, 2, false, true);
  instance({2, 3, 7});
  layer({3, 4, 2});
  nothing("no samples", {0, 3, 2});
  nothing("no field", {2, 3, 0});
  misuse();
}
