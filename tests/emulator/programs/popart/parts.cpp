// Parts of PopART that operators of other people build on, and what a call of others says.
#include <iostream>
#include <popart/adam.hpp>
#include <popart/bimap.hpp>
#include <popart/builder.hpp>
#include <popart/clipnormsettings.hpp>
#include <popart/devicemanager.hpp>
#include <popart/ir.hpp>
#include <popart/ndarraywrapper.hpp>
#include <popart/op/elementwise.hpp>
#include <popart/opmanager.hpp>
#include <popart/optimizervaluemap.hpp>
#include <popart/patterns/sumtoaddpattern.hpp>
#include <popart/pointercomparators.hpp>
#include <popart/popx/op/elementwisex.hpp>
#include <popart/popx/op/matmulx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <popart/session.hpp>
#include <popart/stepio_generic.hpp>
#include <popart/topocons.hpp>
#include <popart/transforms/prune.hpp>
#include <popart/vectorandset.hpp>
#include <popart/version.hpp>
#include <popops/ElementWise.hpp>
#include <vector>

using namespace popart;

namespace {

namespace pe = popops::expr;

const OperatorIdentifier Rsqrt("test.parts", "Rsqrt", 1, 1, 1),
    Minus("test.parts", "Minus", 1, 2, 1);

class RsqrtOp : public ElementWiseUnaryOp {
 public:
  using ElementWiseUnaryOp::ElementWiseUnaryOp;
  std::unique_ptr<Op> clone() const final { return std::make_unique<RsqrtOp>(*this); }
};

class RsqrtComputex : public popx::EwuComputex {
  void inplace(poplar::program::Sequence& program, poplar::Graph& graph,
               const poplar::Tensor& tensor, const poplar::DebugNameAndId& name,
               const std::string& prefix) const final {
    popops::mapInPlace(graph, pe::UnaryOpType::RSQRT, tensor, program, {name, prefix});
  }
  poplar::Tensor reshape(const poplar::Tensor& tensor) const final {
    return coerceTo2D(tensor, 1).reshape(tensor.shape());
  }
};

class RsqrtOpx : public popx::ElementWiseUnaryOutplaceOpx {
 public:
  RsqrtOpx(Op* op, popx::Devicex* devicex)
      : ElementWiseUnaryOutplaceOpx(op, devicex, std::make_unique<RsqrtComputex>()) {
    verifyOp<RsqrtOp>(op, Rsqrt);
  }
};

class MinusOp : public ElementWiseBinaryOp {
 public:
  using ElementWiseBinaryOp::ElementWiseBinaryOp;
  std::unique_ptr<Op> clone() const final { return std::make_unique<MinusOp>(*this); }
};

class MinusComputex : public popx::EwbComputex {
  poplar::Tensor outplace(poplar::program::Sequence& program, poplar::Graph& graph,
                          const poplar::Tensor& a, const poplar::Tensor& b,
                          const poplar::DebugNameAndId& name, const std::string&) const final {
    return popops::sub(graph, a, b, program, {name, "minus"});
  }
  poplar::Tensor maybeInplace(poplar::program::Sequence& program, poplar::Graph& graph,
                              poplar::Tensor& inOut, poplar::Tensor& in,
                              const poplar::DebugNameAndId& name, const std::string&) const final {
    return mapMaybeInPlace(graph, pe::BinaryOpType::SUBTRACT, inOut, in, program, {name, "minus"});
  }
};

class MinusOpx : public popx::ElementWiseBinaryOutplaceOpx {
 public:
  MinusOpx(Op* op, popx::Devicex* devicex)
      : ElementWiseBinaryOutplaceOpx(op, devicex, std::make_unique<MinusComputex>()) {}
};

template <class OP>
OpCreator<OP> creatorOf(const OperatorIdentifier& opid) {
  const OpDefinition::DataTypes types{DataType::FLOAT};
  OpDefinition::Inputs in(opid.numInputs.min, {"in", types});
  return OpCreator<OP>(
      {{opid, OpDefinition(in, {{"out", types}}, OpDefinition::Attributes{})}},
      [](const OpCreatorInfo& info) { return std::make_unique<OP>(info.opid, info.settings); },
      true);
}
OpCreator<RsqrtOp> rsqrtCreator = creatorOf<RsqrtOp>(Rsqrt);
OpCreator<MinusOp> minusCreator = creatorOf<MinusOp>(Minus);
popx::OpxCreator<RsqrtOpx> rsqrtOpxCreator(Rsqrt);
popx::OpxCreator<MinusOpx> minusOpxCreator(Minus);

// Vectors of floats, as a framework that embeds PopART gives its own arrays.
struct Vector {
  std::vector<float>* values;
};
struct Access {
  static DataType getArrayDataType(const Vector&) { return DataType::FLOAT; }
  static std::size_t getArrayRank(const Vector&) { return 1; }
  static std::int64_t getArrayDim(const Vector& v, std::size_t) {
    return static_cast<std::int64_t>(v.values->size());
  }
  static void* getDataPointer(const Vector& v) { return v.values->data(); }
};
class VectorIO : public StepIOGeneric<Vector, Access, Vector> {
 public:
  void input(const TensorId& id, std::vector<float>& v) { inputsInfo.insert({id, {{&v}, 0}}); }
  void output(const TensorId& id, std::vector<float>& v) { outputsInfo.insert({id, {{&v}, 0}}); }
};

class Erasing : public Transform {
  bool apply(Graph& graph) const final {
    std::cout << "applied to " << graph.getOps().size() << " ops\n";
    return false;
  }
  std::size_t getId() const final { return 7; }
  std::string getName() const final { return "Erasing"; }
};

template <class Call>
void refused(Call call) {
  try {
    call();
    std::cout << "not refused" << std::endl;
  } catch (const error& e) {
    std::cout << "refused " << e.what() << std::endl;
  }
}

void runs() {
  auto builder = Builder::create();
  const TensorId x = builder->addInputTensor("FLOAT", Shape{2});
  const TensorId y = builder->customOp(Rsqrt, 1, {x}, 1, {})[0];
  const TensorId z = builder->customOp(Minus, 1, {y, x}, 1, {})[0];
  builder->addOutputTensor(z);
  const DataFlow flow(2, {{z, AnchorReturnType("All")}});
  auto session = InferenceSession::createFromOnnxModel(
      builder->getModelProto(), flow,
      DeviceManager::createDeviceManager().createIpuModelDevice({}));
  session->prepareDevice();
  std::vector<float> in{4, 0.25f, 1, 16}, out(4);
  VectorIO io;
  io.input(x, in);
  io.output(z, out);
  for (int step = 0; step < 2; ++step) session->run(io);  // the arrays begin anew
  std::cout << NDArrayWrapper<float>(out.data(), {4}) << std::endl;
  refused([&] { io.in("none", 1, false); });
}

std::string orderOf(const Graph& graph) {
  std::string out;
  for (Op* op : graph.getOpSchedule()) out += op->name();
  return out;
}

void orders() {
  Ir ir;
  Graph& graph = ir.getMainGraph();
  graph.addInput("x", TensorInfo(DataType::FLOAT, {2}));
  std::map<std::string, Op*> ops;
  for (const std::string name : {"a", "b", "c"})
    ops[name] = graph.createConnectedOp<RsqrtOp>({{0, "x"}}, {{0, "out" + name}}, Rsqrt,
                                                 Op::Settings(graph, name));
  TopoCons& order = *graph.topoCons;
  std::cout << orderOf(graph);
  order.insert(ops["c"], ops["a"], true);
  std::cout << ' ' << orderOf(graph) << ' ' << order.contains(ops["c"], ops["a"])
            << order.getTiedBefores(ops["a"]).size();
  order.transfer(ops["a"], ops["b"]);
  std::cout << ' ' << orderOf(graph) << ' ' << order.hasConstraint(ops["a"]);
  order.insert(order.finalConsumerCons(graph.getTensor("x"), ops["a"]));
  std::cout << ' ' << orderOf(graph);
  refused([&] { order.insert(ops["a"], ops["b"]); });
  graph.eraseOp(ops["b"]->id);
  std::cout << orderOf(graph) << ' ' << order.getValsBefore().size() << std::endl;
}

void values() {
  BiMap<int, std::string> pairs;
  pairs.insert(1, "one");
  pairs.remapLeft(1, 2);
  VectorAndSet<int> set({3, 1});
  set.insert(3);
  set.insert(2);
  OptimizerValueMap rates(OptimizerValue(0.5f));
  rates.insertSpecific("w", OptimizerValue(0.25f, false));
  Transform::registerTransform(new Erasing());
  Ir ir;
  Transform::applyTransform(Transform::getIdFromName("Erasing"), ir.getMainGraph());
  std::cout << pairs.getLeft("one") << pairs.hasLeft(1) << set.v().size() << set.contains(2) << ' '
            << rates.get("w").val() << ' ' << rates.get("v").val() << ' '
            << ClipNormSettings::clipAllWeights(2).getMaxNorm() << ' '
            << (core::versionNumber() < core::versionMake(4, 0, 0)) << std::endl;
}

}  // namespace

int main() {
  runs();
  orders();
  values();
  refused([] { popx::MatMulOpx(nullptr, nullptr); });
  refused([] { popx::MatMulOpx::onnxShapeToPoplar({1}); });
  refused([] { SumToAddPattern().matches(nullptr); });
  refused([] { Prune().getId(); });
  refused([] {
    Adam({}, AdamMode::Lamb, WeightDecayMode::Decay, DataType::FLOAT, DataType::FLOAT,
         DataType::FLOAT);
  });
  refused([] { MinusComputex().getInplaceArgInIndex(); });
  refused([] {
    SessionOptions options;
    options.enableOutlining = false;
    options.enablePipelining = true;
    options.virtualGraphMode = VirtualGraphMode::Manual;
    auto builder = Builder::create();
    InferenceSession::createFromOnnxModel(
        builder->getModelProto(), DataFlow(1),
        DeviceManager::createDeviceManager().createIpuModelDevice({}), InputShapeInfo(), options,
        Patterns::create({"InPlace", "SplitGather"}).enableInPlace(false));
  });
  return 0;
}
