#ifndef popart_transforms_dynamicoptransform_hpp
#define popart_transforms_dynamicoptransform_hpp

#include <cstddef>
#include <map>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>
#include <vector>

namespace popart {

class Op;
class Graph;
class DynamicOpTransform : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::DynamicOpTransform::id"); }
  DynamicOpTransform() = default;
  bool apply(Graph&) const override { emulator::missing("popart::DynamicOpTransform::apply"); }
  std::size_t getId() const override { emulator::missing("popart::DynamicOpTransform::getId"); }
  void transferProperties(Op*, Op*) const {
    emulator::missing("popart::DynamicOpTransform::transferProperties");
  }
  void inplace(Op*) const { emulator::missing("popart::DynamicOpTransform::inplace"); }
  std::string getName() const override { return "DynamicOpTransform"; }
};

}  // namespace popart

#endif  // popart_transforms_dynamicoptransform_hpp
