#ifndef popart_transforms_transform_hpp
#define popart_transforms_transform_hpp

#include <cstddef>
#include <string>

namespace popart {

class Graph;
/// A rewriting of a graph by name. Sessions of the emulation apply none by themselves.
class Transform {
 public:
  Transform() = default;
  virtual ~Transform() = default;
  /// Whether it changed anything.
  virtual bool apply(Graph& graph) const = 0;
  virtual std::size_t getId() const = 0;
  virtual std::string getName() const = 0;

  /// Throws `error` for an id that is none.
  static void applyTransform(std::size_t id, Graph& graph);
  /// Keeps the transform, and returns true, for a static variable.
  static bool registerTransform(Transform* transform);
  /// 0 where there is none of that name.
  static std::size_t getIdFromName(const std::string& name);
};

}  // namespace popart

#endif  // popart_transforms_transform_hpp
