#include <cmath>
#include <popart/error.hpp>
#include <popart/popx/devicex.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/emulator/Profile.hpp>

namespace popart {
namespace popx {

namespace {

std::string readHandle(const TensorId& id) { return "read:" + id; }
std::string writeHandle(const TensorId& id) { return "write:" + id; }

}  // namespace

Devicex::Devicex(const Ir& ir, const poplar::Device& device)
    : ir_(ir), device_(device), lowering_(ir, device.getTarget(), *this) {}
Devicex::~Devicex() = default;

void Devicex::prepare(const std::vector<TensorId>& reads, const std::vector<Op*>& related) {
  lowering_.prepareGraph(related);
  poplar::Graph& graph = lowering_.graph();
  const std::vector<Tensor*> all = ir_.getMainGraph().getTensors().getAll();
  for (const Tensor* tensor : all)
    if (!tensor->hasProducer() && has(tensor->id))
      graph.createHostWrite(writeHandle(tensor->id), lowering_.tensors().get(tensor->id));
  for (const TensorId& id : reads)
    graph.createHostRead(readHandle(id), lowering_.tensors().get(id));
  poplar::OptionFlags options;
  for (const auto& option : ir_.getSessionOptions().engineOptions)
    options.set(option.first, option.second);
  engine_.reset(new poplar::Engine(graph, lowering_.program(), options));
  engine_->load(device_);
  for (const Tensor* tensor : all)
    if (tensor->hasTensorData() && !tensor->hasProducer() && has(tensor->id))
      write(tensor->id, tensor->tensorData()->data(), tensor->tensorData()->size());
}

void Devicex::write(const TensorId& id, const void* data, std::size_t size) {
  engine_->writeTensor(writeHandle(id), data, static_cast<const char*>(data) + size);
}

void Devicex::read(const TensorId& id, void* data, std::size_t size) {
  engine_->readTensor(readHandle(id), data, static_cast<char*>(data) + size);
}

void Devicex::run() {
  engine_->resetExecutionProfile();
  engine_->run();
}

std::uint64_t Devicex::cycles() const {
  const poplar::emulator::CyclesByKind cycles = poplar::emulator::getProfile(*engine_).cycles;
  return static_cast<std::uint64_t>(std::llround(cycles.total() - cycles.hostExchange));
}

}  // namespace popx
}  // namespace popart
