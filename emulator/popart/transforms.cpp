#include <map>
#include <memory>
#include <popart/error.hpp>
#include <popart/graph.hpp>
#include <popart/transforms/transform.hpp>

namespace popart {

namespace {

std::map<std::size_t, std::unique_ptr<Transform>>& registry() {
  static std::map<std::size_t, std::unique_ptr<Transform>> all;
  return all;
}

}  // namespace

void Transform::applyTransform(std::size_t id, Graph& graph) {
  const auto entry = registry().find(id);
  if (entry == registry().end())
    throw error("Transform::applyTransform: expected the id of a registered transform, got {}", id);
  entry->second->apply(graph);
}

bool Transform::registerTransform(Transform* transform) {
  registry().emplace(transform->getId(), transform);
  return true;
}

std::size_t Transform::getIdFromName(const std::string& name) {
  for (const auto& entry : registry())
    if (entry.second->getName() == name) return entry.first;
  return 0;
}

}  // namespace popart
