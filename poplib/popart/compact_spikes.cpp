// CompactSpikes: compacts dense spikes FLOAT [T, B, N] to lists: values FLOAT [T, B, S], which
// carry the gradient, ids INT32 [T, B, S], counts INT32 [T, B, 2], and the numbers of neurons that
// the capacity dropped, INT32 [T, B, 2].
#include "popsnn/spikes.hpp"

#include <popart/opmanager.hpp>
#include <popart/opserialiser.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popart/shapeinference.hpp>

#include "check.hpp"
#include "codelets.hpp"
#include "identifiers.hpp"

namespace popsnn {
namespace ops {
namespace {

using ::popart::Attributes;
using ::popart::DataType;
using ::popart::GradInOutMapper;
using ::popart::GradOpInType;
using ::popart::InIndex;
using ::popart::TensorInfo;
using ::popart::popx::InputCreatorType;
using poplar::program::Sequence;

const char* const kName = "CompactSpikes";

enum Output : int { kValuesOut, kIdsOut, kCountsOut, kDropsOut, kOutputs };

CompactOptions read_options(const Attributes& attributes) {
  const auto number = [&](const char* name, int64_t least) {
    const int64_t value = attributes.getAttribute<Attributes::Int>(name, 0);
    if (value < least || value > 0xFFFFFFFFll)
      fail(kName, std::string(name) + ": expected " + std::to_string(least) +
                      " to 4294967295, got " + std::to_string(value));
    return value;
  };
  CompactOptions options;
  options.capacity = std::size_t(number("capacity", 1));
  options.silent = number("silent", 0) != 0;
  options.seed = unsigned(number("seed", 0));
  options.layer = unsigned(number("layer", 0));
  return options;
}

std::vector<TensorInfo> output_infos(const CompactOptions& options, const TensorInfo& dense) {
  check_rank(kName, "x", dense, DataType::FLOAT, 3, "[T, B, N]");
  const ::popart::Shape shape = dense.shape();
  if (int64_t(options.capacity) > shape[2])
    fail(kName, "capacity: expected 1 to " + std::to_string(shape[2]) + ", got " +
                    std::to_string(options.capacity));
  const ::popart::Shape lists = {shape[0], shape[1], int64_t(options.capacity)};
  const ::popart::Shape pairs = {shape[0], shape[1], 2};
  return {TensorInfo(DataType::FLOAT, lists), TensorInfo(DataType::INT32, lists),
          TensorInfo(DataType::INT32, pairs), TensorInfo(DataType::INT32, pairs)};
}

class CompactSpikesOp : public ::popart::Op {
 public:
  CompactSpikesOp(const ::popart::OperatorIdentifier& id, const Settings& settings,
                  const CompactOptions& options)
      : Op(id, settings), options(options) {}

  std::unique_ptr<Op> clone() const final { return std::make_unique<CompactSpikesOp>(*this); }
  void setup() final {
    const std::vector<TensorInfo> infos = output_infos(options, inInfo(0));
    for (int i = 0; i < kOutputs; ++i) outInfo(i) = infos[std::size_t(i)];
  }
  std::vector<std::unique_ptr<Op>> getGradOps() final;
  void appendOutlineAttributes(::popart::OpSerialiserBase& serialiser) const final {
    Op::appendOutlineAttributes(serialiser);
    serialiser.appendAttribute("capacity", uint64_t(options.capacity));
    serialiser.appendAttribute("silent", options.silent);
    serialiser.appendAttribute("seed", uint32_t(options.seed));
    serialiser.appendAttribute("layer", uint32_t(options.layer));
  }
  float getSubgraphValue() const final { return getHighSubgraphValue(); }

  const CompactOptions options;
};

class CompactSpikesGradOp : public ::popart::Op {
 public:
  explicit CompactSpikesGradOp(const CompactSpikesOp& forward)
      : Op(identifier("CompactSpikesGrad"), forward.settings), dense_(forward.inInfo(0)) {}

  std::unique_ptr<Op> clone() const final { return std::make_unique<CompactSpikesGradOp>(*this); }
  void setup() final { outInfo(0) = dense_; }
  const std::vector<GradInOutMapper>& gradInputInfo() const final {
    static const std::vector<GradInOutMapper> inputs = {{0, kValuesOut, GradOpInType::GradOut},
                                                        {1, kIdsOut, GradOpInType::Out},
                                                        {2, kCountsOut, GradOpInType::Out}};
    return inputs;
  }
  const std::map<int, int>& gradOutToNonGradIn() const final {
    static const std::map<int, int> outputs = {{0, 0}};
    return outputs;
  }
  float getSubgraphValue() const final { return getHighSubgraphValue(); }

 private:
  const TensorInfo dense_;
};

std::vector<std::unique_ptr<::popart::Op>> CompactSpikesOp::getGradOps() {
  std::vector<std::unique_ptr<Op>> ops;
  ops.emplace_back(std::make_unique<CompactSpikesGradOp>(*this));
  return ops;
}

class CompactSpikesOpx : public ::popart::popx::Opx {
 public:
  CompactSpikesOpx(::popart::Op* op, ::popart::popx::Devicex* devicex) : Opx(op, devicex) {
    verifyOp<CompactSpikesOp>(op);
    add_own_codelets(graph());
  }

  void grow(Sequence& program) const final {
    const CompactedSpikes spikes =
        compact_spikes(graph(), getInTensor(0), getOp<CompactSpikesOp>().options, program);
    setOutTensor(kValuesOut, spikes.values);
    setOutTensor(kIdsOut, spikes.lists.ids);
    setOutTensor(kCountsOut, spikes.lists.counts);
    setOutTensor(kDropsOut, spikes.drops);
  }
  InputCreatorType getInputCreatorType(InIndex) const final { return InputCreatorType::CanCreate; }
  poplar::Tensor createInputTensor(InIndex index, const poplar::DebugNameAndId& name) const final {
    const std::vector<std::size_t> shape = inShapeSzt(index);
    return add_distributed_rows(graph(), poplar::FLOAT, shape[0], shape[1], shape[2],
                                name.getPathName());
  }
  std::set<::popart::TensorId> mustExistBeforeCreate(InIndex) const final { return {}; }
};

class CompactSpikesGradOpx : public ::popart::popx::Opx {
 public:
  CompactSpikesGradOpx(::popart::Op* op, ::popart::popx::Devicex* devicex) : Opx(op, devicex) {
    verifyOp<CompactSpikesGradOp>(op);
    add_own_codelets(graph());
  }

  void grow(Sequence& program) const final {
    const std::size_t neurons = std::size_t(outInfo(0).shape()[2]);
    setOutTensor(0, expand_spikes(graph(), {getInTensor(1), getInTensor(2)}, getInTensor(0),
                                  neurons, program));
  }
};

const ::popart::OpCreator<CompactSpikesOp> creator(
    {{identifier(kName),
      {{{"x", {DataType::FLOAT}}},
       {{"values", {DataType::FLOAT}},
        {"ids", {DataType::INT32}},
        {"counts", {DataType::INT32}},
        {"drops", {DataType::INT32}}},
       {{"capacity", {"*"}}, {"silent", {"*"}}, {"seed", {"*"}}, {"layer", {"*"}}}}}},
    [](const ::popart::OpCreatorInfo& info) {
      return std::unique_ptr<::popart::Op>(
          new CompactSpikesOp(info.opid, info.settings, read_options(info.attributes)));
    },
    true);

const ::popart::RegisterShapeInferenceFunction shapes(
    identifier(kName), [](::popart::ShapeInferenceContext& context) {
      const std::vector<TensorInfo> infos =
          output_infos(read_options(context.getAttributes()), context.inInfo(0));
      for (int i = 0; i < kOutputs; ++i) context.outInfo(i) = infos[std::size_t(i)];
    });

const ::popart::popx::OpxCreator<CompactSpikesOpx> opx(identifier(kName));
const ::popart::popx::OpxCreator<CompactSpikesGradOpx> grad_opx(identifier("CompactSpikesGrad"));

}  // namespace
}  // namespace ops
}  // namespace popsnn
