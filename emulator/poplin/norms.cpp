#include <numeric>
#include <poplin/Norms.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace poplin {

using namespace poplar;
using namespace poplar::program;
using poputil::poplibs_error;
namespace expr = popops::expr;
using Pair = std::pair<Tensor, Tensor>;

namespace {

void checkActs(const Tensor& acts, const char* operation) {
  if (acts.rank() < 2) {
    throw poplibs_error(std::string(operation) + ": expected activations [N,C,...], got " +
                        acts.shapeToString());
  }
}

void checkVector(const Tensor& acts, const Tensor& t, const char* name, const char* operation) {
  if (t.numElements() != acts.dim(1)) {
    throw poplibs_error(std::string(operation) + ": " + name +
                        ": expected one element for each of " + std::to_string(acts.dim(1)) +
                        " channels, got " + t.shapeToString());
  }
}

void checkGradients(const Tensor& acts, const Tensor& grads, const char* operation) {
  checkActs(acts, operation);
  if (grads.shape() != acts.shape()) {
    throw poplibs_error(std::string(operation) + ": gradsIn: expected the shape " +
                        acts.shapeToString() + " of the activations, got " + grads.shapeToString());
  }
}

// [C] as [C, 1, ...], to broadcast against [N, C, F...].
Tensor perChannel(const Tensor& t, const Tensor& acts) {
  return t.flatten().expand(std::vector<std::size_t>(acts.rank() - 2, 1));
}

// Replicas whose statistics the callback sums; 1 where it is not called.
std::size_t replicasOf(const Tensor& acts, const DistributedNormReduceCallback& callback,
                       unsigned norm_size) {
  const std::size_t samples = acts.dim(0);
  if (!callback || samples == 0 || norm_size <= samples) return 1;
  if (norm_size % samples != 0) {
    throw poplibs_error("Norm batch size must be an integer multiple of replica batch size, got " +
                        std::to_string(norm_size) + " and " + std::to_string(samples));
  }
  return norm_size / samples;
}

// Elements of a channel, over all replicas.
std::size_t elementsOf(const Tensor& acts, std::size_t replicas) {
  return acts.dim(1) == 0 ? 0 : acts.numElements() / acts.dim(1) * replicas;
}

// A sum over all but the channels, times `scale`: float [C].
popops::SingleReduceOp overChannels(Graph& graph, const Tensor& in, popops::Operation op,
                                    float scale) {
  std::vector<std::size_t> dims(in.rank() - 1);
  std::iota(dims.begin() + 1, dims.end(), 2);
  const Tensor factor = graph.addConstant(FLOAT, {}, scale, "scale");
  graph.setTileMapping(factor, 0);
  return popops::SingleReduceOp(in, dims, popops::ReduceParams(op, false, factor), FLOAT);
}

std::vector<Tensor> reduceAll(Graph& graph, const std::vector<popops::SingleReduceOp>& reductions,
                              Sequence& prog, const DebugContext& dc) {
  std::vector<Tensor> out;
  popops::reduceMany(graph, reductions, out, prog, dc);
  return out;
}

Tensor asType(Graph& graph, const Tensor& t, const Type& type, Sequence& prog,
              const DebugContext& dc) {
  return t.elementType() == type ? t : popops::cast(graph, t, type, prog, dc);
}

std::vector<Tensor> sumOverReplicas(Graph& graph, const DistributedNormReduceCallback& callback,
                                    const std::vector<Tensor>& ts, std::size_t replicas,
                                    Sequence& prog, const DebugContext& dc) {
  if (replicas == 1) return ts;
  const std::vector<Tensor> out =
      callback(graph, ts, prog, static_cast<unsigned>(replicas), dc, {});
  if (out.size() != ts.size()) {
    throw poplibs_error("DistributedNormReduceCallback: expected " + std::to_string(ts.size()) +
                        " tensors, got " + std::to_string(out.size()));
  }
  return out;
}

// The mean, and the variance or the mean of squares: float.
Pair moments(Graph& graph, const Tensor& acts, float scale, bool stable, std::size_t replicas,
             const DistributedNormReduceCallback& callback, Sequence& prog,
             const DebugContext& dc) {
  using popops::Operation;
  if (!stable) {
    const std::vector<Tensor> both =
        sumOverReplicas(graph, callback,
                        reduceAll(graph,
                                  {overChannels(graph, acts, Operation::ADD, scale),
                                   overChannels(graph, acts, Operation::SQUARE_ADD, scale)},
                                  prog, dc),
                        replicas, prog, dc);
    return {both[0], both[1]};
  }
  const Tensor mean = sumOverReplicas(
      graph, callback,
      reduceAll(graph, {overChannels(graph, acts, Operation::ADD, scale)}, prog, dc), replicas,
      prog, dc)[0];
  const Tensor centred =
      popops::map(graph, expr::Sub(expr::Cast(expr::_1, FLOAT), expr::Cast(expr::_2, FLOAT)),
                  {acts, perChannel(mean, acts)}, prog, dc);
  const Tensor variance = sumOverReplicas(
      graph, callback,
      reduceAll(graph, {overChannels(graph, centred, Operation::SQUARE_ADD, scale)}, prog, dc),
      replicas, prog, dc)[0];
  return {mean, variance};
}

Pair statistics(Graph& graph, const Tensor& acts, float eps, Sequence& prog, bool unbiased,
                bool stable, const DistributedNormReduceCallback& callback, unsigned norm_size,
                const DebugContext& dc, const char* operation) {
  checkActs(acts, operation);
  const std::size_t replicas = replicasOf(acts, callback, norm_size),
                    n = elementsOf(acts, replicas);
  const float scale = n > 1 ? 1.0f / static_cast<float>(n) : 1.0f;
  const float unbias = n > 1 && unbiased ? static_cast<float>(n) / static_cast<float>(n - 1) : 1.0f;
  const Pair m = moments(graph, acts, scale, stable, replicas, callback, prog, dc);
  const auto mean = expr::Cast(expr::_1, FLOAT), power = expr::Cast(expr::_2, FLOAT);
  // Rounding may make the difference negative.
  const expr::Any variance =
      stable ? expr::Any(power)
             : expr::Any(expr::Max(expr::Sub(power, expr::Mul(mean, mean)), expr::Const(0.0f)));
  const Type type = acts.elementType();
  const Tensor inv = popops::map(
      graph,
      expr::Cast(expr::Rsqrt(expr::Mul(expr::Add(variance, expr::Const(eps)), expr::Const(unbias))),
                 type),
      {m.first, m.second}, prog, {dc, "iStdDev"});
  return {asType(graph, m.first, type, prog, {dc, "mean"}), inv};
}

// The gradients of gamma and beta times `scale`: float.
std::vector<Tensor> parameterGradients(Graph& graph, const Tensor& acts, const Tensor& grads,
                                       float scale, Sequence& prog, const DebugContext& dc) {
  const Tensor product =
      popops::map(graph, expr::Mul(expr::Cast(expr::_1, FLOAT), expr::Cast(expr::_2, FLOAT)),
                  {acts, grads}, prog, dc);
  return reduceAll(graph,
                   {overChannels(graph, product, popops::Operation::ADD, scale),
                    overChannels(graph, grads, popops::Operation::ADD, scale)},
                   prog, dc);
}

Tensor statisticsGradients(Graph& graph, const Tensor& acts, const Tensor& grads,
                           const Tensor& inv_std_dev, Sequence& prog,
                           const DistributedNormReduceCallback& callback, unsigned norm_size,
                           const DebugContext& dc, const char* operation) {
  checkGradients(acts, grads, operation);
  checkVector(acts, inv_std_dev, "invStdDev", operation);
  const std::size_t replicas = replicasOf(acts, callback, norm_size),
                    n = elementsOf(acts, replicas);
  const float scale = n == 0 ? 1.0f : 1.0f / static_cast<float>(n);
  const std::vector<Tensor> sums = sumOverReplicas(
      graph, callback, parameterGradients(graph, acts, grads, scale, prog, dc), replicas, prog, dc);
  const auto as_float = [](const expr::PlaceHolder& p) { return expr::Cast(p, FLOAT); };
  return popops::map(
      graph,
      expr::Cast(expr::Mul(expr::Sub(expr::Sub(as_float(expr::_1),
                                               expr::Mul(as_float(expr::_2), as_float(expr::_3))),
                                     as_float(expr::_4)),
                           as_float(expr::_5)),
                 acts.elementType()),
      {grads, acts, perChannel(sums[0], acts), perChannel(sums[1], acts),
       perChannel(inv_std_dev, acts)},
      prog, dc);
}

}  // namespace

Pair normStatistics(Graph& graph, const Tensor& acts, float eps, Sequence& prog,
                    bool unbiasedVarEstimate, bool stableAlgo, const Type&,
                    const DebugContext& debugContext) {
  return statistics(graph, acts, eps, prog, unbiasedVarEstimate, stableAlgo, nullptr, 0,
                    {debugContext, "normStatistics"}, "normStatistics");
}

Pair distributedNormStatistics(Graph& graph, const Tensor& acts, float eps, Sequence& prog,
                               bool unbiasedVarEstimate, DistributedNormReduceCallback callback,
                               unsigned normSize, bool stableAlgo, const Type&,
                               const DebugContext& debugContext) {
  return statistics(graph, acts, eps, prog, unbiasedVarEstimate, stableAlgo, callback, normSize,
                    {debugContext, "distributedNormStatistics"}, "distributedNormStatistics");
}

Tensor createNormGamma(Graph& graph, const Tensor& acts, const Type& type,
                       const DebugContext& debugContext) {
  checkActs(acts, "createNormGamma");
  return poputil::createBroadcastOperand(graph, acts, type, 1, true, {debugContext, "gamma"});
}

Tensor createNormGamma(Graph& graph, const Tensor& acts, const DebugContext& debugContext) {
  return createNormGamma(graph, acts, acts.elementType(), debugContext);
}

Tensor createNormBeta(Graph& graph, const Tensor& acts, const Type& type,
                      const DebugContext& debugContext) {
  checkActs(acts, "createNormBeta");
  return poputil::createBroadcastOperand(graph, acts, type, 1, true, {debugContext, "beta"});
}

Tensor createNormBeta(Graph& graph, const Tensor& acts, const DebugContext& debugContext) {
  return createNormBeta(graph, acts, acts.elementType(), debugContext);
}

Pair createNormParams(Graph& graph, const Tensor& acts, const DebugContext& debugContext) {
  const Tensor gamma = createNormGamma(graph, acts, debugContext);
  return {gamma, createNormBeta(graph, acts, debugContext)};
}

Tensor normWhiten(Graph& graph, const Tensor& acts, const Tensor& mean, const Tensor& iStdDev,
                  Sequence& prog, const DebugContext& debugContext) {
  checkActs(acts, "normWhiten");
  checkVector(acts, mean, "mean", "normWhiten");
  checkVector(acts, iStdDev, "iStdDev", "normWhiten");
  return popops::map(graph, expr::Mul(expr::Sub(expr::_1, expr::_2), expr::_3),
                     {acts, perChannel(mean, acts), perChannel(iStdDev, acts)}, prog,
                     {debugContext, "normWhiten"});
}

Tensor normalise(Graph& graph, const Tensor& actsWhitened, const Tensor& gamma, const Tensor& beta,
                 Sequence& prog, const DebugContext& debugContext) {
  checkActs(actsWhitened, "normalise");
  checkVector(actsWhitened, gamma, "gamma", "normalise");
  checkVector(actsWhitened, beta, "beta", "normalise");
  return popops::map(
      graph, expr::Add(expr::Mul(expr::_1, expr::_2), expr::_3),
      {actsWhitened, perChannel(gamma, actsWhitened), perChannel(beta, actsWhitened)}, prog,
      {debugContext, "normalise"});
}

Pair normParamGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                        Sequence& prog, const Type&, const DebugContext& debugContext) {
  const DebugContext dc(debugContext, "normParamGradients");
  checkGradients(actsWhitened, gradsIn, "normParamGradients");
  const std::vector<Tensor> sums = parameterGradients(graph, actsWhitened, gradsIn, 1.0f, prog, dc);
  const Type type = gradsIn.elementType();
  const Tensor gamma = asType(graph, sums[0], type, prog, dc);
  return {gamma, asType(graph, sums[1], type, prog, dc)};
}

Tensor normGradients(Graph& graph, const Tensor& gradsIn, const Tensor& gamma, Sequence& prog,
                     const DebugContext& debugContext) {
  checkActs(gradsIn, "normGradients");
  checkVector(gradsIn, gamma, "gamma", "normGradients");
  return popops::mul(graph, gradsIn, perChannel(gamma, gradsIn), prog,
                     {debugContext, "normGradients"});
}

Tensor normStatisticsGradients(Graph& graph, const Tensor& actsWhitened, const Tensor& gradsIn,
                               const Tensor& invStdDev, Sequence& prog, const Type&,
                               const DebugContext& debugContext) {
  return statisticsGradients(graph, actsWhitened, gradsIn, invStdDev, prog, nullptr, 0,
                             {debugContext, "normStatisticsGradients"}, "normStatisticsGradients");
}

Tensor distributedNormStatisticsGradients(Graph& graph, const Tensor& actsWhitened,
                                          const Tensor& gradsIn, const Tensor& invStdDev,
                                          Sequence& prog, DistributedNormReduceCallback callback,
                                          unsigned normSize, const Type&,
                                          const DebugContext& debugContext) {
  return statisticsGradients(graph, actsWhitened, gradsIn, invStdDev, prog, callback, normSize,
                             {debugContext, "distributedNormStatisticsGradients"},
                             "distributedNormStatisticsGradients");
}

}  // namespace poplin
