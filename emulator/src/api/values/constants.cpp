// The values of constants, by tensor: a tensor knows the number of its graph alone.
#include <mutex>
#include <unordered_map>

#include "api/access.hpp"
#include "api/graph_data.hpp"
#include "api/types.hpp"

namespace poplar {
namespace emulator {

namespace {

struct Graphs {
  std::mutex mutex;
  std::unordered_map<uint64_t, std::weak_ptr<GraphData>> by_id;
};

Graphs& graphs() {
  static Graphs all;
  return all;
}

}  // namespace

std::shared_ptr<GraphData> makeGraph(const Target& target) {
  auto data = std::make_shared<GraphData>(target);
  Graphs& all = graphs();
  std::lock_guard<std::mutex> lock(all.mutex);
  for (auto it = all.by_id.begin(); it != all.by_id.end();) {
    it = it->second.expired() ? all.by_id.erase(it) : std::next(it);
  }
  all.by_id.emplace(data->id, data);
  return data;
}

std::shared_ptr<GraphData> findGraph(uint64_t id) {
  Graphs& all = graphs();
  std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.by_id.find(id);
  return found == all.by_id.end() ? nullptr : found->second.lock();
}

}  // namespace emulator

bool Tensor::readConstant(Type type, void* value) const {
  const emulator::View& view = emulator::Access::view(*this, "Tensor::getConstantValue");
  if (view.numElements() != 1 || !containsConstant()) return false;
  const std::shared_ptr<const emulator::GraphData> data = emulator::findGraph(view.graph);
  if (!data) return false;
  const VariableInterval at = getVarRegions()[0];
  const emulator::Variable& constant = data->variable(at.var.id);
  emulator::convert(constant.type,
                    constant.values.data() + at.interval.begin() * emulator::sizeOf(constant.type),
                    type, value, 1);
  return true;
}

}  // namespace poplar
