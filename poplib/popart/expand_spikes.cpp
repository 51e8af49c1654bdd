// ExpandSpikes: expands lists, ids INT32 [T, B, S] and counts INT32 [T, B, 2], and their values
// FLOAT [T, B, S] to dense rows FLOAT [T, B, N].
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

const char* const kName = "ExpandSpikes";

enum Input : int { kIdsIn, kCountsIn, kValuesIn, kInputs };

int64_t read_size(const Attributes& attributes) {
  const int64_t size = attributes.getAttribute<Attributes::Int>("size", 0);
  if (size < 1) fail(kName, "size: expected at least 1, got " + std::to_string(size));
  return size;
}

TensorInfo output_info(int64_t size, const TensorInfo& ids, const TensorInfo& counts,
                       const TensorInfo& values) {
  check_rank(kName, "ids", ids, DataType::INT32, 3, "[T, B, S]");
  const ::popart::Shape shape = ids.shape();
  check_input(kName, "counts", counts, DataType::INT32, {shape[0], shape[1], 2});
  check_input(kName, "values", values, DataType::FLOAT, shape);
  return TensorInfo(DataType::FLOAT, {shape[0], shape[1], size});
}

class ExpandSpikesOp : public ::popart::Op {
 public:
  ExpandSpikesOp(const ::popart::OperatorIdentifier& id, const Settings& settings, int64_t size)
      : Op(id, settings), size_(size) {}

  std::unique_ptr<Op> clone() const final { return std::make_unique<ExpandSpikesOp>(*this); }
  void setup() final {
    outInfo(0) = output_info(size_, inInfo(kIdsIn), inInfo(kCountsIn), inInfo(kValuesIn));
  }
  std::vector<std::unique_ptr<Op>> getGradOps() final;
  void appendOutlineAttributes(::popart::OpSerialiserBase& serialiser) const final {
    Op::appendOutlineAttributes(serialiser);
    serialiser.appendAttribute("size", size_);
  }
  float getSubgraphValue() const final { return getHighSubgraphValue(); }

 private:
  const int64_t size_;
};

class ExpandSpikesGradOp : public ::popart::Op {
 public:
  explicit ExpandSpikesGradOp(const ExpandSpikesOp& forward)
      : Op(identifier("ExpandSpikesGrad"), forward.settings), values_(forward.inInfo(kValuesIn)) {}

  std::unique_ptr<Op> clone() const final { return std::make_unique<ExpandSpikesGradOp>(*this); }
  void setup() final { outInfo(0) = values_; }
  const std::vector<GradInOutMapper>& gradInputInfo() const final {
    static const std::vector<GradInOutMapper> inputs = {{0, 0, GradOpInType::GradOut},
                                                        {1, kIdsIn, GradOpInType::In},
                                                        {2, kCountsIn, GradOpInType::In}};
    return inputs;
  }
  const std::map<int, int>& gradOutToNonGradIn() const final {
    static const std::map<int, int> outputs = {{0, kValuesIn}};
    return outputs;
  }
  float getSubgraphValue() const final { return getHighSubgraphValue(); }

 private:
  const TensorInfo values_;
};

std::vector<std::unique_ptr<::popart::Op>> ExpandSpikesOp::getGradOps() {
  std::vector<std::unique_ptr<Op>> ops;
  ops.emplace_back(std::make_unique<ExpandSpikesGradOp>(*this));
  return ops;
}

class ExpandSpikesOpx : public ::popart::popx::Opx {
 public:
  ExpandSpikesOpx(::popart::Op* op, ::popart::popx::Devicex* devicex) : Opx(op, devicex) {
    verifyOp<ExpandSpikesOp>(op);
    add_own_codelets(graph());
  }

  void grow(Sequence& program) const final {
    const std::size_t neurons = std::size_t(outInfo(0).shape()[2]);
    setOutTensor(0, expand_spikes(graph(), {getInTensor(kIdsIn), getInTensor(kCountsIn)},
                                  getInTensor(kValuesIn), neurons, program));
  }
  InputCreatorType getInputCreatorType(InIndex) const final { return InputCreatorType::CanCreate; }
  poplar::Tensor createInputTensor(InIndex index, const poplar::DebugNameAndId& name) const final {
    const std::vector<std::size_t> shape = inShapeSzt(index);
    const poplar::Type type = index == kValuesIn ? poplar::FLOAT : poplar::INT;
    return add_distributed_rows(graph(), type, shape[0], shape[1], shape[2], name.getPathName());
  }
  std::set<::popart::TensorId> mustExistBeforeCreate(InIndex) const final { return {}; }
};

class ExpandSpikesGradOpx : public ::popart::popx::Opx {
 public:
  ExpandSpikesGradOpx(::popart::Op* op, ::popart::popx::Devicex* devicex) : Opx(op, devicex) {
    verifyOp<ExpandSpikesGradOp>(op);
    add_own_codelets(graph());
  }

  void grow(Sequence& program) const final {
    setOutTensor(0,
                 gather_spikes(graph(), {getInTensor(1), getInTensor(2)}, getInTensor(0), program));
  }
};

const ::popart::OpCreator<ExpandSpikesOp> creator(
    {{identifier(kName),
      {{{"ids", {DataType::INT32}}, {"counts", {DataType::INT32}}, {"values", {DataType::FLOAT}}},
       {{"dense", {DataType::FLOAT}}},
       {{"size", {"*"}}}}}},
    [](const ::popart::OpCreatorInfo& info) {
      return std::unique_ptr<::popart::Op>(
          new ExpandSpikesOp(info.opid, info.settings, read_size(info.attributes)));
    },
    true);

const ::popart::RegisterShapeInferenceFunction shapes(
    identifier(kName), [](::popart::ShapeInferenceContext& context) {
      context.outInfo(0) = output_info(read_size(context.getAttributes()), context.inInfo(kIdsIn),
                                       context.inInfo(kCountsIn), context.inInfo(kValuesIn));
    });

const ::popart::popx::OpxCreator<ExpandSpikesOpx> opx(identifier(kName));
const ::popart::popx::OpxCreator<ExpandSpikesGradOpx> grad_opx(identifier("ExpandSpikesGrad"));

}  // namespace
}  // namespace ops
}  // namespace popsnn
