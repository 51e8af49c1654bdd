// Lif: LIF neurons from rest. Inputs: currents FLOAT [T, B, N] and parameters FLOAT [3, N], the
// decay, the threshold and the gradient threshold. Outputs: spikes FLOAT [T, B, N], and the bits of
// the membranes INT32 [T, B, N], which only the gradient reads: of floats PopART might change them.
#include <popart/opmanager.hpp>
#include <popart/opserialiser.hpp>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popart/shapeinference.hpp>
#include <popops/Zero.hpp>

#include "check.hpp"
#include "codelets.hpp"
#include "identifiers.hpp"
#include "names.hpp"
#include "popsnn/lif_scan.hpp"

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

const char* const kName = "Lif";
constexpr int64_t kRows = 3;

enum Input : int { kCurrentIn, kParametersIn };
enum Output : int { kSpikesOut, kMembraneOut };

LifOptions read_options(const Attributes& attributes) {
  LifOptions options;
  options.reset =
      named<Reset>(kName, "reset", attributes.getAttribute<Attributes::String>("reset", "zero"));
  options.detach_reset = attributes.getAttribute<Attributes::Int>("detach_reset", 1) != 0;
  options.surrogate = named<Surrogate>(
      kName, "surrogate", attributes.getAttribute<Attributes::String>("surrogate", "SuperSpike"));
  options.surrogate_parameter =
      attributes.getAttribute<Attributes::Float>("surrogate_parameter", 10.0f);
  return options;
}

void check_inputs(const TensorInfo& current, const TensorInfo& parameters) {
  check_rank(kName, "current", current, DataType::FLOAT, 3, "[T, B, N]");
  check_input(kName, "parameters", parameters, DataType::FLOAT, {kRows, current.shape()[2]});
}

TensorInfo membrane_info(const TensorInfo& current) {
  return TensorInfo(DataType::INT32, current.shape());
}

void append_options(const LifOptions& options, ::popart::OpSerialiserBase& serialiser) {
  serialiser.appendAttribute("reset", uint32_t(options.reset));
  serialiser.appendAttribute("detach_reset", options.detach_reset);
  serialiser.appendAttribute("surrogate", uint32_t(options.surrogate));
  serialiser.appendAttribute("surrogate_parameter", options.surrogate_parameter);
}

class LifOp : public ::popart::Op {
 public:
  LifOp(const ::popart::OperatorIdentifier& id, const Settings& settings, const LifOptions& options)
      : Op(id, settings), options(options) {}

  std::unique_ptr<Op> clone() const final { return std::make_unique<LifOp>(*this); }
  void setup() final {
    check_inputs(inInfo(kCurrentIn), inInfo(kParametersIn));
    outInfo(kSpikesOut) = inInfo(kCurrentIn);
    outInfo(kMembraneOut) = membrane_info(inInfo(kCurrentIn));
  }
  std::vector<std::unique_ptr<Op>> getGradOps() final;
  void appendOutlineAttributes(::popart::OpSerialiserBase& serialiser) const final {
    Op::appendOutlineAttributes(serialiser);
    append_options(options, serialiser);
  }
  float getSubgraphValue() const final { return getHighSubgraphValue(); }

  const LifOptions options;
};

class LifGradOp : public ::popart::Op {
 public:
  explicit LifGradOp(const LifOp& forward)
      : Op(identifier("LifGrad"), forward.settings),
        options(forward.options),
        current_(forward.inInfo(kCurrentIn)),
        parameters_(forward.inInfo(kParametersIn)) {}

  std::unique_ptr<Op> clone() const final { return std::make_unique<LifGradOp>(*this); }
  void setup() final {
    outInfo(kCurrentIn) = current_;
    outInfo(kParametersIn) = parameters_;
  }
  const std::vector<GradInOutMapper>& gradInputInfo() const final {
    static const std::vector<GradInOutMapper> inputs = {{0, kSpikesOut, GradOpInType::GradOut},
                                                        {1, kMembraneOut, GradOpInType::Out},
                                                        {2, kParametersIn, GradOpInType::In}};
    return inputs;
  }
  const std::map<int, int>& gradOutToNonGradIn() const final {
    static const std::map<int, int> outputs = {{kCurrentIn, kCurrentIn},
                                               {kParametersIn, kParametersIn}};
    return outputs;
  }
  void appendOutlineAttributes(::popart::OpSerialiserBase& serialiser) const final {
    Op::appendOutlineAttributes(serialiser);
    append_options(options, serialiser);
  }
  float getSubgraphValue() const final { return getHighSubgraphValue(); }

  const LifOptions options;

 private:
  const TensorInfo current_, parameters_;
};

std::vector<std::unique_ptr<::popart::Op>> LifOp::getGradOps() {
  std::vector<std::unique_ptr<Op>> ops;
  ops.emplace_back(std::make_unique<LifGradOp>(*this));
  return ops;
}

// Both lay out their inputs as the scan reads them; it sees parameters as [1, 3, N].
class ScanOpx : public ::popart::popx::Opx {
 public:
  ScanOpx(::popart::Op* op, ::popart::popx::Devicex* devicex) : Opx(op, devicex) {
    add_own_codelets(graph());
  }

  InputCreatorType getInputCreatorType(InIndex) const final { return InputCreatorType::CanCreate; }
  poplar::Tensor createInputTensor(InIndex index, const poplar::DebugNameAndId& name) const final {
    const std::vector<std::size_t> shape = inShapeSzt(index);
    if (shape.size() == 3) {
      const poplar::Tensor rows =
          add_scanned(graph(), shape[0], shape[1], shape[2], name.getPathName());
      const bool bits = inInfo(index).dataType() == DataType::INT32;
      return bits ? rows.reinterpret(poplar::INT) : rows;
    }
    return add_scanned(graph(), 1, shape[0], shape[1], name.getPathName()).squeeze({0});
  }
  std::set<::popart::TensorId> mustExistBeforeCreate(InIndex) const final { return {}; }
};

class LifOpx : public ScanOpx {
 public:
  LifOpx(::popart::Op* op, ::popart::popx::Devicex* devicex) : ScanOpx(op, devicex) {
    verifyOp<LifOp>(op);
  }

  void grow(Sequence& program) const final {
    const LifScan scan = lif_scan(graph(), getInTensor(kCurrentIn), getInTensor(kParametersIn),
                                  getOp<LifOp>().options, program);
    setOutTensor(kSpikesOut, scan.spikes);
    setOutTensor(kMembraneOut, scan.membrane.reinterpret(poplar::INT));
  }
};

class LifGradOpx : public ScanOpx {
 public:
  LifGradOpx(::popart::Op* op, ::popart::popx::Devicex* devicex) : ScanOpx(op, devicex) {
    verifyOp<LifGradOp>(op);
  }

  void grow(Sequence& program) const final {
    const LifScanGrad grad =
        lif_scan_grad(graph(), getInTensor(0), getInTensor(1).reinterpret(poplar::FLOAT),
                      getInTensor(2), getOp<LifGradOp>().options, program);
    setOutTensor(kCurrentIn, grad.current);
    // The gradient threshold has no gradient.
    const poplar::Tensor all =
        add_scanned(graph(), 1, kRows, grad.parameters.dim(1), "parameter_grad").squeeze({0});
    program.add(poplar::program::Copy(grad.parameters, all.slice(0, kRows - 1)));
    popops::zero(graph(), all[kRows - 1], program, debugContext("zero"));
    setOutTensor(kParametersIn, all);
  }
};

const ::popart::OpCreator<LifOp> creator(
    {{identifier(kName),
      {{{"current", {DataType::FLOAT}}, {"parameters", {DataType::FLOAT}}},
       {{"spikes", {DataType::FLOAT}}, {"membrane", {DataType::INT32}}},
       {{"reset", {"*"}},
        {"detach_reset", {"*"}},
        {"surrogate", {"*"}},
        {"surrogate_parameter", {"*"}}}}}},
    [](const ::popart::OpCreatorInfo& info) {
      return std::unique_ptr<::popart::Op>(
          new LifOp(info.opid, info.settings, read_options(info.attributes)));
    },
    true);

const ::popart::RegisterShapeInferenceFunction shapes(
    identifier(kName), [](::popart::ShapeInferenceContext& context) {
      check_inputs(context.inInfo(kCurrentIn), context.inInfo(kParametersIn));
      context.outInfo(kSpikesOut) = context.inInfo(kCurrentIn);
      context.outInfo(kMembraneOut) = membrane_info(context.inInfo(kCurrentIn));
    });

const ::popart::popx::OpxCreator<LifOpx> opx(identifier(kName));
const ::popart::popx::OpxCreator<LifGradOpx> grad_opx(identifier("LifGrad"));

}  // namespace
}  // namespace ops
}  // namespace popsnn
