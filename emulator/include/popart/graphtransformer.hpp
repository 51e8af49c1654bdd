#ifndef popart_graphtransformer_hpp
#define popart_graphtransformer_hpp

#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <string>
#include <vector>

namespace popart {

class GraphTransformer {
 public:
  GraphTransformer(const std::string&) { emulator::missing("popart::GraphTransformer"); }
  std::string getModelProto() const {
    emulator::missing("popart::GraphTransformer::getModelProto");
  }
  void convertFloatsToHalfs() {
    emulator::missing("popart::GraphTransformer::convertFloatsToHalfs");
  }
  void convertUINT8ToINT32() { emulator::missing("popart::GraphTransformer::convertUINT8ToINT32"); }
  void convertUINT16ToINT32() {
    emulator::missing("popart::GraphTransformer::convertUINT16ToINT32");
  }
  void convertINT64ToINT32(bool = false) {
    emulator::missing("popart::GraphTransformer::convertINT64ToINT32");
  }
  void convertINT8ToINT32() { emulator::missing("popart::GraphTransformer::convertINT8ToINT32"); }
  void convertINT16ToINT32() { emulator::missing("popart::GraphTransformer::convertINT16ToINT32"); }
  void convertDoublesToFloats() {
    emulator::missing("popart::GraphTransformer::convertDoublesToFloats");
  }
  void convertDoublesToHalfs() {
    emulator::missing("popart::GraphTransformer::convertDoublesToHalfs");
  }
  void convertBFloats16ToFloat32() {
    emulator::missing("popart::GraphTransformer::convertBFloats16ToFloat32");
  }
  void convertInitializersToConstants(const std::vector<TensorId>&) {
    emulator::missing("popart::GraphTransformer::convertInitializersToConstants");
  }
  void convertAllFixedPointInitializersToConstants() {
    emulator::missing("popart::GraphTransformer::convertAllFixedPointInitializersToConstants");
  }
  void prepareNodesForTraining() {
    emulator::missing("popart::GraphTransformer::prepareNodesForTraining");
  }
  void removeUnusedInputs() { emulator::missing("popart::GraphTransformer::removeUnusedInputs"); }
  void saveInitializersExternally(const std::vector<TensorId>&, const std::string&) {
    emulator::missing("popart::GraphTransformer::saveInitializersExternally");
  }
};

}  // namespace popart

#endif  // popart_graphtransformer_hpp
