// A model of PopART's own operators, trained and run by the C++ API as for the SDK.
#include <iostream>
#include <popart/builder.hpp>
#include <popart/devicemanager.hpp>
#include <popart/ndarraywrapper.hpp>
#include <popart/region.hpp>
#include <popart/session.hpp>
#include <popart/sgd.hpp>
#include <popart/stepio.hpp>
#include <popart/tensornames.hpp>
#include <vector>

using namespace popart;

// Whether what ops are described with does what it says.
bool valuesRight() {
  const view::Region full = view::Region::getFull({4, 6}), part({1, 2}, {3, 9});
  const view::Region both = full.intersect(part);
  bool right = both == view::Region({1, 2}, {3, 6}) && both.nelms() == 8;
  right = right && full.contains(both) && !both.contains(full) && both.contains({2, 5});
  right = right && both.transpose({1, 0}) == view::Region({2, 1}, {6, 3});
  right = right && part.intersect(view::Region({5, 0}, {9, 9})).isEmpty();
  right = right && view::Region::getEmpty(0).isEmpty() && !view::Region::getFull({}).isEmpty();

  const TensorInfo info("FLOAT16", "(2,3)");
  right = right && info == TensorInfo(DataType::FLOAT16, {2, 3}) && info.nbytes() == 12;
  right = right && info.strides({2, 3}) == std::vector<int>({6, 2});
  right = right && npOut({2, 1, 3}, {4, 1}) == Shape({2, 4, 3});
  right = right && npReductionAxis({1, 3}, {5, 4, 3}) == Shape({0, 1});
  right = right && logging::format("{{{}}} {}", 1, "b") == "{1} b";
  return right;
}

int main() {
  auto builder = Builder::create();
  const TensorId x = builder->addInputTensor("FLOAT", Shape{3});
  const std::vector<float> start{1.0f, -2.0f, 0.5f};
  const TensorId w = builder->addInitializedInputTensor(
      ConstVoidData(start.data(), TensorInfo("FLOAT", Shape{3})), "w");
  const TensorId y = builder->aiOnnxOpset11().sum({x, w, w});
  const TensorId loss = builder->aiGraphcoreOpset1().l1loss({y}, 0.5f, ReductionType::Sum, "loss");
  builder->addOutputTensor(y);

  const TensorId dx = reservedGradientPrefix() + x, dw = reservedGradientPrefix() + w;
  const DataFlow flow(2, {{y, AnchorReturnType("All")},
                          {loss, AnchorReturnType("Sum")},
                          {dx, AnchorReturnType("EveryN", 2)},
                          {dw, AnchorReturnType("Final")}});
  auto& manager = DeviceManager::createDeviceManager();
  auto session = TrainingSession::createFromOnnxModel(
      builder->getModelProto(), flow, loss, ConstSGD(0.25f), manager.createIpuModelDevice({}));
  session->prepareDevice();
  session->weightsFromHost();

  std::vector<float> xs{0, 0, 0, 1, 1, 1}, ys(6), losses(1), dxs(3), dws(3);
  NDArrayWrapper<float> in(xs.data(), {2, 3}), out(ys.data(), {2, 3}), l(losses.data(), {1}),
      gx(dxs.data(), {3}), gw(dws.data(), {3});
  StepIO io({{x, in}}, {{y, out}, {loss, l}, {dx, gx}, {dw, gw}});
  session->run(io);
  session->weightsToHost();
  std::vector<float> weights(3);
  WeightsIO read;
  read.insert(w, MutableVoidData(weights.data(), session->getInfo(w)));
  session->readWeights(read);
  std::cout << out << '\n' << l << '\n' << gx << '\n' << gw << '\n';
  std::cout << NDArrayWrapper<float>(weights.data(), {3}) << std::endl;
  std::cout << (valuesRight() ? "values right" : "values wrong") << std::endl;
  return session->getCycleCount() > 0 ? 0 : 1;
}
