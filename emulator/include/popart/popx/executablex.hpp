#ifndef popart_popx_executablex_hpp
#define popart_popx_executablex_hpp

#include <cstdint>
#include <gcl/CollectiveBalancedReorder.hpp>
#include <map>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/ir.hpp>
#include <popart/names.hpp>
#include <popart/tensor.hpp>
#include <popart/tensordebuginfo.hpp>
#include <popart/vendored/optional.hpp>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace onnx {
class ModelProto;
}  // namespace onnx

namespace popart {

struct SessionOptions;

namespace popx {

class IrLowering;
class Executablex {
 public:
  Executablex(IrLowering&) { emulator::missing("popart::popx::Executablex"); }
  Executablex(IrLowering&, std::unordered_map<TensorId, std::unique_ptr<Tensor>>&&,
              std::map<TensorId, CollectiveBalancedReorderId>&&,
              std::map<CollectiveBalancedReorderId, gcl::CollectiveBalancedHostRearrangement>&&) {
    emulator::missing("popart::popx::Executablex");
  }
  static std::unique_ptr<Executablex> createFromLoweredIr(IrLowering&) {
    emulator::missing("popart::popx::Executablex::createFromLoweredIr");
  }
  static std::unique_ptr<Executablex> createFromStream(
      IrLowering&, std::unordered_map<TensorId, std::unique_ptr<Tensor>>&&,
      std::map<TensorId, CollectiveBalancedReorderId>&&,
      std::map<CollectiveBalancedReorderId, gcl::CollectiveBalancedHostRearrangement>&&) {
    emulator::missing("popart::popx::Executablex::createFromStream");
  }
  IrLowering& lowering() { emulator::missing("popart::popx::Executablex::lowering"); }
  const IrLowering& lowering() const { emulator::missing("popart::popx::Executablex::lowering"); }
  const Ir& ir() const { emulator::missing("popart::popx::Executablex::ir"); }
  bool isDeserialized() const { emulator::missing("popart::popx::Executablex::isDeserialized"); }
  bool shouldSerialize() { emulator::missing("popart::popx::Executablex::shouldSerialize"); }
  bool containsTensor(const TensorId&) const {
    emulator::missing("popart::popx::Executablex::containsTensor");
  }
  Tensor* getTensor(const TensorId&) { emulator::missing("popart::popx::Executablex::getTensor"); }
  const Tensor* getTensor(const TensorId&) const {
    emulator::missing("popart::popx::Executablex::getTensor");
  }
  std::set<TensorId> getAllTensorIds() {
    emulator::missing("popart::popx::Executablex::getAllTensorIds");
  }
  std::vector<TensorId> getTensorIds(TensorType) {
    emulator::missing("popart::popx::Executablex::getTensorIds");
  }
  void setRandomSeedValue(uint64_t) {
    emulator::missing("popart::popx::Executablex::setRandomSeedValue");
  }
  void resetWeights(const onnx::ModelProto&, const bool = false) {
    emulator::missing("popart::popx::Executablex::resetWeights");
  }
  const SessionOptions& getSessionOptions() const {
    emulator::missing("popart::popx::Executablex::getSessionOptions");
  }
  std::vector<Tensor*>& getWeightTensors() {
    emulator::missing("popart::popx::Executablex::getWeightTensors");
  }
  const std::vector<Tensor*>& getWeightTensors() const {
    emulator::missing("popart::popx::Executablex::getWeightTensors");
  }
  const std::vector<Tensor*>& getAnchorTensors() const {
    emulator::missing("popart::popx::Executablex::getAnchorTensors");
  }
  const std::vector<Tensor*>& getOptimizerTensors() const {
    emulator::missing("popart::popx::Executablex::getOptimizerTensors");
  }
  const std::vector<Tensor*>& getDataStreamTensors() const {
    emulator::missing("popart::popx::Executablex::getDataStreamTensors");
  }
  const Tensor* getSeedTensor() const {
    emulator::missing("popart::popx::Executablex::getSeedTensor");
  }
  const gcl::CollectiveBalancedHostRearrangement& getCollectiveBalancedHostRearrangement(
      const TensorId&) const {
    emulator::missing("popart::popx::Executablex::getCollectiveBalancedHostRearrangement");
  }
  const std::map<CollectiveBalancedReorderId, gcl::CollectiveBalancedHostRearrangement>
  getCollectiveBalancedHostRearrangements() const {
    emulator::missing("popart::popx::Executablex::getCollectiveBalancedHostRearrangements");
  }
  const std::map<TensorId, CollectiveBalancedReorderId> getCollectiveBalancedHostRearrangementIds()
      const {
    emulator::missing("popart::popx::Executablex::getCollectiveBalancedHostRearrangementIds");
  }
  std::string getCachePath(const std::string&) const {
    emulator::missing("popart::popx::Executablex::getCachePath");
  }
  void updateOptimizerTensors() {
    emulator::missing("popart::popx::Executablex::updateOptimizerTensors");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_executablex_hpp
