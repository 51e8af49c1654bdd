// A model of PopART's own operators, trained and run by the C++ API as for the SDK.
#include <iostream>
#include <popart/builder.hpp>
#include <popart/devicemanager.hpp>
#include <popart/ndarraywrapper.hpp>
#include <popart/session.hpp>
#include <popart/sgd.hpp>
#include <popart/stepio.hpp>
#include <popart/tensornames.hpp>
#include <vector>

using namespace popart;

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
  return session->getCycleCount() > 0 ? 0 : 1;
}
