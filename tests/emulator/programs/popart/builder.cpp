// PopART's elementwise operators by the methods of the C++ builder: each in a model of its own,
// trained for a step. Prints a line of outputs and gradients for each.
#include <functional>
#include <iostream>
#include <popart/builder.hpp>
#include <popart/devicemanager.hpp>
#include <popart/error.hpp>
#include <popart/ndarraywrapper.hpp>
#include <popart/op/add.hpp>
#include <popart/op/conv.hpp>
#include <popart/op/relu.hpp>
#include <popart/patterns/pattern.hpp>
#include <popart/replicagrouping.hpp>
#include <popart/session.hpp>
#include <popart/sgd.hpp>
#include <popart/stepio.hpp>
#include <popart/tensornames.hpp>
#include <string>
#include <vector>

using namespace popart;

namespace {

const std::vector<float> kA{0.5f, 1.5f, 2.0f, 0.75f, 1.25f, 3.0f}, kB{1.5f, 0.5f, 2.0f};
unsigned relus = 0;

// Counts the ops of a class of PopART's own, as patterns of users look for them.
class CountRelus : public PreAliasPattern {
 public:
  bool matches(Op* op) const override { return op->isConvertibleTo<ReluOp>(); }
  std::vector<const Tensor*> touches(Op*) const override { return {}; }
  bool apply(Op*) const override {
    ++relus;
    return false;
  }
};
const PatternCreator<CountRelus> counting("CountRelus", true);

void print(const char* what, const std::vector<float>& values) {
  std::cout << ' ' << what;
  for (float value : values) std::cout << ' ' << value;
}

using Method = std::function<TensorId(Builder&, const TensorId&, const TensorId&)>;

// y = method(a, b), a [2, 3] and b [3]; the loss is the sum of |y|.
void step(const std::string& name, const Method& method) {
  auto builder = Builder::create();
  const TensorId a = builder->addInputTensor("FLOAT", Shape{2, 3});
  const TensorId b = builder->addInputTensor("FLOAT", Shape{3});
  const TensorId y = method(*builder, a, b);
  const TensorId loss = builder->aiGraphcoreOpset1().l1loss({y}, 1.0f, ReductionType::Sum);
  const TensorId da = reservedGradientPrefix() + a, db = reservedGradientPrefix() + b;
  const DataFlow flow(
      1,
      {{y, AnchorReturnType("All")}, {da, AnchorReturnType("All")}, {db, AnchorReturnType("All")}});
  auto session = TrainingSession::createFromOnnxModel(
      builder->getModelProto(), flow, loss, ConstSGD(0.25f),
      DeviceManager::createDeviceManager().createIpuModelDevice({}));
  session->prepareDevice();
  session->weightsFromHost();
  std::vector<float> as = kA, bs = kB, ys(6), das(6), dbs(3);
  NDArrayWrapper<float> ina(as.data(), {2, 3}), inb(bs.data(), {3}), out(ys.data(), {2, 3}),
      ga(das.data(), {2, 3}), gb(dbs.data(), {3});
  StepIO io({{a, ina}, {b, inb}}, {{y, out}, {da, ga}, {db, gb}});
  session->run(io);
  std::cout << name;
  print("y", ys);
  print("da", das);
  print("db", dbs);
  std::cout << '\n';
}

void refused(const std::function<void()>& call) {
  try {
    call();
    std::cout << "refused nothing\n";
  } catch (const error& e) {
    std::cout << "refused " << e.what() << '\n';
  }
}

}  // namespace

int main() {
  std::cout.precision(9);
  // f(a) * b, so that the gradient that reaches f is not 1.
#define UNARY(NAME)                                                        \
  step(#NAME, [](Builder& builder, const TensorId& a, const TensorId& b) { \
    auto opset = builder.aiOnnxOpset9();                                   \
    return opset.mul({opset.NAME({a}), b});                                \
  });
#define BINARY(NAME)                                                       \
  step(#NAME, [](Builder& builder, const TensorId& a, const TensorId& b) { \
    return builder.aiOnnxOpset10().NAME({a, b});                           \
  });
  UNARY(abs)
  UNARY(cos)
  UNARY(erf)
  UNARY(exp)
  UNARY(log)
  UNARY(neg)
  UNARY(reciprocal)
  UNARY(relu)
  UNARY(sigmoid)
  UNARY(sin)
  UNARY(softplus)
  UNARY(softsign)
  UNARY(sqrt)
  UNARY(tanh)
  BINARY(add)
  BINARY(div)
  BINARY(mul)
  BINARY(pow)
  BINARY(sub)
  std::cout << "relus " << (relus > 0) << '\n';

  const ReplicaGrouping grouping(8, 2, 2);
  std::cout << "grouping " << grouping.getGroupAt(5) << grouping.getIndexInGroupAt(5)
            << grouping.getReplicaAt(3, 1) << ' ' << ReplicaGrouping(8, 1, 2).getTranspose()
            << '\n';

  auto builder = Builder::create();
  const TensorId x = builder->addInputTensor("FLOAT", Shape{1, 1, 4, 4});
  refused([&] { builder->aiOnnxOpset9().conv({x, x}); });
  refused([&] { builder->aiOnnxOpset11().loop({x}, 1, *builder); });
  refused([&] { builder->aiGraphcoreOpset1().gelu({x}); });
  refused([&] { ConvOp op(Onnx::Operators::Conv_1, 1); });
  refused([] { ReplicaGrouping(8, 3, 2); });
  return 0;
}
