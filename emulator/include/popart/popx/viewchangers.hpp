#ifndef popart_popx_viewchangers_hpp
#define popart_popx_viewchangers_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <poplar/Tensor.hpp>
#include <typeinfo>
#include <vector>

namespace popart {
namespace popx {

class ViewChanger {
 public:
  virtual ~ViewChanger() = default;
  virtual poplar::Tensor apply(poplar::Tensor) const {
    emulator::missing("popart::popx::ViewChanger::apply");
  }
  virtual bool containsAllDataRegions() const { return true; }
  virtual bool operator==(const ViewChanger&) const {
    emulator::missing("popart::popx::ViewChanger::operator==");
  }
  virtual bool operator!=(const ViewChanger&) const {
    emulator::missing("popart::popx::ViewChanger::operator!=");
  }
};

class ViewChangers {
 public:
  ViewChangers() { emulator::missing("popart::popx::ViewChangers"); }
  ViewChangers(std::vector<std::shared_ptr<ViewChanger>>) {
    emulator::missing("popart::popx::ViewChangers");
  }
  poplar::Tensor apply(poplar::Tensor) const {
    emulator::missing("popart::popx::ViewChangers::apply");
  }
  bool empty() const { emulator::missing("popart::popx::ViewChangers::empty"); }
  bool operator==(const ViewChangers&) const {
    emulator::missing("popart::popx::ViewChangers::operator==");
  }
  bool operator!=(const ViewChangers&) const {
    emulator::missing("popart::popx::ViewChangers::operator!=");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_viewchangers_hpp
