#include <popart/emulator/graphcorebuilder.hpp>
#include <popart/logging.hpp>
#include <popart/operators.hpp>

namespace popart {

TensorId AiGraphcoreOpset1::l1loss(const std::vector<TensorId>& args, const float lambda,
                                   const ReductionType reduction,
                                   const DebugContext& debugContext) {
  return DomainOpSet::call(Onnx::CustomOperators::L1, "l1loss", args, 1,
                           {{"lambda", lambda}, {"reduction", logging::format("{}", reduction)}},
                           debugContext)[0];
}

TensorId AiGraphcoreOpset1::identityloss(const std::vector<TensorId>& args,
                                         const ReductionType reduction,
                                         const DebugContext& debugContext) {
  return DomainOpSet::call(Onnx::AiGraphcore::OpSet1::IdentityLoss, "identityloss", args, 1,
                           {{"reduction", logging::format("{}", reduction)}}, debugContext)[0];
}

TensorId AiGraphcoreOpset1::nllloss(const std::vector<TensorId>& args,
                                    const ReductionType reduction,
                                    const nonstd::optional<int> ignoreIndex,
                                    bool inputIsLogProbability, const DebugContext& debugContext) {
  nonstd::optional<std::int64_t> ignored;
  if (ignoreIndex) ignored = static_cast<std::int64_t>(*ignoreIndex);
  return DomainOpSet::call(Onnx::CustomOperators::Nll, "nllloss", args, 1,
                           {{"reduction", logging::format("{}", reduction)},
                            {"ignoreIndex", ignored},
                            {"inputIsLogProbability", std::int64_t(inputIsLogProbability)}},
                           debugContext)[0];
}

TensorId AiGraphcoreOpset1::replicatedallreduce(
    const std::vector<TensorId>& args, const nonstd::optional<std::vector<std::int64_t>>& commGroup,
    const DebugContext& debugContext) {
  const std::vector<emulator::GivenAttribute> given(
      1, emulator::GivenAttribute(sCollectiveCommGroup, commGroup));
  return DomainOpSet::call(Onnx::CustomOperators::ReplicatedAllReduce, "replicatedallreduce", args,
                           1, given, debugContext)[0];
}

TensorId AiGraphcoreOpset1::replicatedallreduce(
    const std::vector<TensorId>& args,
    const nonstd::optional<CollectiveOperator>& collectiveOperator,
    const nonstd::optional<CommGroup>& commGroup, const DebugContext& debugContext) {
  std::vector<std::int64_t> group;
  if (commGroup) group = {static_cast<std::int64_t>(commGroup->type), commGroup->replicaGroupSize};
  const auto type = collectiveOperator ? *collectiveOperator : CollectiveOperator::Add;
  std::vector<emulator::GivenAttribute> given;
  given.emplace_back(sCollectiveOperator, static_cast<std::int64_t>(type));
  given.emplace_back(sCollectiveCommGroup, group);
  return DomainOpSet::call(Onnx::CustomOperators::ReplicatedAllReduce, "replicatedallreduce", args,
                           1, given, debugContext)[0];
}

TensorId AiGraphcoreOpset1::copyvarupdate(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.copyvarupdate");
}

std::vector<TensorId> AiGraphcoreOpset1::batchnormalization(const std::vector<TensorId>&, unsigned,
                                                            float, float, const DebugContext&) {
  absent("aiGraphcore.batchnormalization");
}

std::vector<TensorId> AiGraphcoreOpset1::groupnormalization(const std::vector<TensorId>&,
                                                            std::int64_t, float,
                                                            const DebugContext&) {
  absent("aiGraphcore.groupnormalization");
}

std::vector<TensorId> AiGraphcoreOpset1::multiconv(
    const MultiConvInputs&, const MultiConvDilations&, const MultiConvDilations&,
    const MultiConvPads&, const MultiConvPads&, const MultiConvStrides&, const std::vector<float>&,
    const std::vector<std::string>&, const nonstd::optional<std::string>,
    const nonstd::optional<int>, const nonstd::optional<float>, const std::vector<std::int64_t>,
    const DebugContext&) {
  absent("aiGraphcore.multiconv");
}

TensorId AiGraphcoreOpset1::subsample(const std::vector<TensorId>&,
                                      const std::vector<std::int64_t>&, const DebugContext&) {
  absent("aiGraphcore.subsample");
}

TensorId AiGraphcoreOpset1::printtensor(const std::vector<TensorId>&, std::int64_t,
                                        const DebugContext&, const std::string&, const int,
                                        const int, const int, const int, const int, const char,
                                        const char, const char) {
  absent("aiGraphcore.printtensor");
}

TensorId AiGraphcoreOpset1::nop(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.nop");
}

TensorId AiGraphcoreOpset1::normalize_image(const std::vector<TensorId>&, float,
                                            const DebugContext&) {
  absent("aiGraphcore.normalize_image");
}

TensorId AiGraphcoreOpset1::scale(const std::vector<TensorId>& args, float scale,
                                  const DebugContext& debugContext) {
  return DomainOpSet::call(Onnx::CustomOperators::Scale_1, "scale", args, 1, {{"scale", scale}},
                           debugContext)[0];
}

TensorId AiGraphcoreOpset1::scaledadd(const std::vector<TensorId>&, float, float,
                                      const DebugContext&) {
  absent("aiGraphcore.scaledadd");
}

std::vector<TensorId> AiGraphcoreOpset1::lstm(const std::vector<TensorId>&, std::int64_t,
                                              const DebugContext&) {
  absent("aiGraphcore.lstm");
}

TensorId AiGraphcoreOpset1::gelu(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.gelu");
}

TensorId AiGraphcoreOpset1::geluerf(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.geluerf");
}

TensorId AiGraphcoreOpset1::detach(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.detach");
}

TensorId AiGraphcoreOpset1::depthtospace(const std::vector<TensorId>&, std::int64_t,
                                         const std::string&, const DebugContext&) {
  absent("aiGraphcore.depthtospace");
}

TensorId AiGraphcoreOpset1::round(const std::vector<TensorId>& args,
                                  const DebugContext& debugContext) {
  return DomainOpSet::call(Onnx::CustomOperators::Round_1, "round", args, 1, {}, debugContext)[0];
}

TensorId AiGraphcoreOpset1::init(Attributes::Ints, Attributes::Int, Attributes::Int,
                                 Attributes::Int, const DebugContext&) {
  absent("aiGraphcore.init");
}

TensorId AiGraphcoreOpset1::init(Attributes::Ints, Attributes::Int, Attributes::Int,
                                 const DebugContext&) {
  absent("aiGraphcore.init");
}

TensorId AiGraphcoreOpset1::dynamicslice(const std::vector<TensorId>&, Attributes::Ints,
                                         Attributes::Ints, Attributes::Int, const DebugContext&) {
  absent("aiGraphcore.dynamicslice");
}

TensorId AiGraphcoreOpset1::dynamicupdate(const std::vector<TensorId>&, Attributes::Ints,
                                          Attributes::Ints, Attributes::Int, const DebugContext&) {
  absent("aiGraphcore.dynamicupdate");
}

TensorId AiGraphcoreOpset1::dynamiczero(const std::vector<TensorId>&, Attributes::Ints,
                                        Attributes::Ints, const DebugContext&) {
  absent("aiGraphcore.dynamiczero");
}

TensorId AiGraphcoreOpset1::dynamicadd(const std::vector<TensorId>&, Attributes::Ints,
                                       Attributes::Ints, const DebugContext&) {
  absent("aiGraphcore.dynamicadd");
}

TensorId AiGraphcoreOpset1::sequenceslice(const std::vector<TensorId>&, Attributes::Int,
                                          const DebugContext&) {
  absent("aiGraphcore.sequenceslice");
}

std::vector<TensorId> AiGraphcoreOpset1::call(const std::vector<TensorId>&, unsigned,
                                              const Builder&, const DebugContext&) {
  absent("aiGraphcore.call");
}

TensorId AiGraphcoreOpset1::replicatedreducescatter(const std::vector<TensorId>&,
                                                    const nonstd::optional<CollectiveOperator>&,
                                                    const nonstd::optional<CommGroup>&,
                                                    const DebugContext&) {
  absent("aiGraphcore.replicatedreducescatter");
}

TensorId AiGraphcoreOpset1::tensorremap(const std::vector<TensorId>&, Attributes::Int,
                                        const DebugContext&) {
  absent("aiGraphcore.tensorremap");
}

TensorId AiGraphcoreOpset1::ctcloss(const std::vector<TensorId>&, const ReductionType,
                                    const unsigned, const std::string&, const bool,
                                    const DebugContext&) {
  absent("aiGraphcore.ctcloss");
}

std::vector<TensorId> AiGraphcoreOpset1::_ctcloss(const std::vector<TensorId>&, const ReductionType,
                                                  const unsigned, const std::string&, const bool,
                                                  const DebugContext&) {
  absent("aiGraphcore._ctcloss");
}

std::vector<TensorId> AiGraphcoreOpset1::ctcbeamsearchdecoder(const std::vector<TensorId>&,
                                                              unsigned, unsigned, unsigned,
                                                              const DebugContext&) {
  absent("aiGraphcore.ctcbeamsearchdecoder");
}

TensorId AiGraphcoreOpset1::shapeddropout(const std::vector<TensorId>&,
                                          const std::vector<std::int64_t>&, float,
                                          const DebugContext&) {
  absent("aiGraphcore.shapeddropout");
}

TensorId AiGraphcoreOpset1::atan2(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.atan2");
}

TensorId AiGraphcoreOpset1::expm1(const std::vector<TensorId>& args,
                                  const DebugContext& debugContext) {
  return DomainOpSet::call(Onnx::CustomOperators::Expm1_1, "expm1", args, 1, {}, debugContext)[0];
}

TensorId AiGraphcoreOpset1::log1p(const std::vector<TensorId>& args,
                                  const DebugContext& debugContext) {
  return DomainOpSet::call(Onnx::CustomOperators::Log1p_1, "log1p", args, 1, {}, debugContext)[0];
}

TensorId AiGraphcoreOpset1::reshape(const TensorId&, const Attributes::Ints&, const DebugContext&) {
  absent("aiGraphcore.reshape");
}

TensorId AiGraphcoreOpset1::fmod(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.fmod");
}

TensorId AiGraphcoreOpset1::remainder(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.remainder");
}

TensorId AiGraphcoreOpset1::reverse(const std::vector<TensorId>&, const std::vector<std::int64_t>&,
                                    const DebugContext&) {
  absent("aiGraphcore.reverse");
}

TensorId AiGraphcoreOpset1::slice(const std::vector<TensorId>&, const std::vector<std::int64_t>&,
                                  const std::vector<std::int64_t>&,
                                  const std::vector<std::int64_t>&, const DebugContext&) {
  absent("aiGraphcore.slice");
}

TensorId AiGraphcoreOpset1::packedDataBlock(const std::vector<TensorId>&,
                                            const std::vector<std::int64_t>&, std::int64_t,
                                            std::int64_t, const Builder&, const DebugContext&) {
  absent("aiGraphcore.packedDataBlock");
}

void AiGraphcoreOpset1::abort(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.abort");
}

TensorId AiGraphcoreOpset1::bitwisenot(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.bitwisenot");
}

TensorId AiGraphcoreOpset1::bitwiseand(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.bitwiseand");
}

TensorId AiGraphcoreOpset1::bitwiseor(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.bitwiseor");
}

TensorId AiGraphcoreOpset1::bitwisexor(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.bitwisexor");
}

TensorId AiGraphcoreOpset1::bitwisexnor(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.bitwisexnor");
}

std::vector<TensorId> AiGraphcoreOpset1::reducemedian(
    const std::vector<TensorId>&, const nonstd::optional<std::vector<std::int64_t>>&, std::int64_t,
    const DebugContext&) {
  absent("aiGraphcore.reducemedian");
}

TensorId AiGraphcoreOpset1::groupedgather(const std::vector<TensorId>&, Attributes::Int,
                                          Attributes::Int, const DebugContext&) {
  absent("aiGraphcore.groupedgather");
}

TensorId AiGraphcoreOpset1::groupedscatterreduce(const std::vector<TensorId>&, Attributes::Int,
                                                 Attributes::Int, ScatterReduction, Attributes::Int,
                                                 Attributes::Int, const DebugContext&) {
  absent("aiGraphcore.groupedscatterreduce");
}

TensorId AiGraphcoreOpset1::scatterreduce(const std::vector<TensorId>&, Attributes::Int,
                                          Attributes::Int, ScatterReduction, Attributes::Int,
                                          const DebugContext&) {
  absent("aiGraphcore.scatterreduce");
}

TensorId AiGraphcoreOpset1::swish(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.swish");
}

TensorId AiGraphcoreOpset1::incrementmod(const std::vector<TensorId>&, Attributes::Float,
                                         Attributes::Float, const DebugContext&) {
  absent("aiGraphcore.incrementmod");
}

TensorId AiGraphcoreOpset1::bucketize(const std::vector<TensorId>&, Attributes::Int,
                                      const DebugContext&) {
  absent("aiGraphcore.bucketize");
}

std::vector<TensorId> AiGraphcoreOpset1::sort(const std::vector<TensorId>&, Attributes::Int,
                                              Attributes::Int, Attributes::Int,
                                              const DebugContext&) {
  absent("aiGraphcore.sort");
}

TensorId AiGraphcoreOpset1::nearbyint(const std::vector<TensorId>& args,
                                      const DebugContext& debugContext) {
  return DomainOpSet::call(Onnx::CustomOperators::NearbyInt, "nearbyint", args, 1, {},
                           debugContext)[0];
}

std::vector<TensorId> AiGraphcoreOpset1::splinebasis(const std::vector<TensorId>&, Attributes::Int,
                                                     const DebugContext&) {
  absent("aiGraphcore.splinebasis");
}

TensorId AiGraphcoreOpset1::splineweighting(const std::vector<TensorId>&, const DebugContext&) {
  absent("aiGraphcore.splineweighting");
}

}  // namespace popart
