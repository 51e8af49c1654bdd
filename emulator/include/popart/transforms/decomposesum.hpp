#ifndef popart_transforms_decomposesum_hpp
#define popart_transforms_decomposesum_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>
#include <vector>

namespace popart {

class Graph;
class Op;
class DecomposeSum : public Transform {
 public:
  static std::size_t id() { emulator::missing("popart::DecomposeSum::id"); }
  DecomposeSum() = default;
  bool apply(Graph&) const override { emulator::missing("popart::DecomposeSum::apply"); }
  std::size_t getId() const override { emulator::missing("popart::DecomposeSum::getId"); }
  std::string getName() const override { return "DecomposeSum"; }

 private:
  virtual std::vector<Op*> getDecomposableSumOps(const Graph&) const {
    emulator::missing("popart::DecomposeSum::getDecomposableSumOps");
  }
  virtual void applyAddOpAttributes(Op*) const {
    emulator::missing("popart::DecomposeSum::applyAddOpAttributes");
  }
};

}  // namespace popart

#endif  // popart_transforms_decomposesum_hpp
