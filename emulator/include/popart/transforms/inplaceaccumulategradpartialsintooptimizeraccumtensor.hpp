#ifndef popart_transforms_inplaceaccumulategradpartialsintooptimizeraccumtensor_hpp
#define popart_transforms_inplaceaccumulategradpartialsintooptimizeraccumtensor_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/transforms/transform.hpp>
#include <string>

namespace popart {

class Graph;
class InplaceAccumulateGradPartialsIntoOptimizerAccumTensor : public Transform {
 public:
  static std::size_t id() {
    emulator::missing("popart::InplaceAccumulateGradPartialsIntoOptimizerAccumTensor::id");
  }
  InplaceAccumulateGradPartialsIntoOptimizerAccumTensor() {
    emulator::missing("popart::InplaceAccumulateGradPartialsIntoOptimizerAccumTensor");
  }
  bool apply(Graph&) const override {
    emulator::missing("popart::InplaceAccumulateGradPartialsIntoOptimizerAccumTensor::apply");
  }
  std::size_t getId() const override {
    emulator::missing("popart::InplaceAccumulateGradPartialsIntoOptimizerAccumTensor::getId");
  }
  std::string getName() const override {
    return "InplaceAccumulateGradPartialsIntoOptimizerAccumTensor";
  }
};

}  // namespace popart

#endif  // popart_transforms_inplaceaccumulategradpartialsintooptimizeraccumtensor_hpp
