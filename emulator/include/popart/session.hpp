#ifndef popart_session_hpp
#define popart_session_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/dataflow.hpp>
#include <popart/inputshapeinfo.hpp>
#include <popart/ir.hpp>
#include <popart/names.hpp>
#include <popart/patterns/patterns.hpp>
#include <popart/sessionoptions.hpp>
#include <popart/tensorinfo.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

class DeviceInfo;
class IStepIO;
class IWeightsIO;
class Optimizer;

namespace popx {
class Devicex;
}

/// A model on a device. Each step runs the batches of its DataFlow, one after another.
class Session {
 public:
  virtual ~Session();

  /// Compiles for the device and loads it.
  void prepareDevice(bool loadEngine = true);
  void weightsFromHost();
  void weightsToHost();
  /// Throw `error` before prepareDevice().
  void run(IStepIO& io, std::string debugName = "");
  void readWeights(const IWeightsIO& io);
  /// Modelled, of the last batch, without the host's exchanges.
  std::uint64_t getCycleCount(std::string id = "");
  void setRandomSeed(std::uint64_t seed) { seed_ = seed; }
  std::uint64_t getRandomSeed() const { return seed_; }

  TensorInfo getInfo(TensorId id) const;
  bool hasInfo(TensorId id) const;
  std::set<TensorId> getAllTensorIds() const;
  const DataFlow& getDataFlow() const { return dataFlow_; }
  const Ir& getIr() const { return *ir_; }

 protected:
  Session(const std::string& model, const DataFlow& dataFlow, std::shared_ptr<DeviceInfo> device,
          const InputShapeInfo& inputs, const SessionOptions& options, const Patterns& patterns);
  /// Runs the patterns and marks the anchors, once the ops are all there.
  void finish();

  std::shared_ptr<DeviceInfo> device_;  // outlives devicex_, which refers to it
  std::unique_ptr<Ir> ir_;
  std::unique_ptr<popx::Devicex> devicex_;

 private:
  void writeSeeds();
  void copyAnchors(IStepIO& io, int batch);
  popx::Devicex& prepared(const char* operation) const;

  DataFlow dataFlow_;
  std::uint64_t seed_ = 0, batches_ = 0;
  std::map<TensorId, std::vector<float>> sums_;  // of anchors of which the sum is returned
};

class InferenceSession : public Session {
 public:
  static std::unique_ptr<InferenceSession> createFromOnnxModel(
      const std::string& model, const DataFlow& dataFlow, std::shared_ptr<DeviceInfo> device,
      const InputShapeInfo& inputs = InputShapeInfo(),
      const SessionOptions& options = SessionOptions(), const Patterns& patterns = Patterns(),
      const std::string name = "inference");

 private:
  using Session::Session;
};

class TrainingSession : public Session {
 public:
  static std::unique_ptr<TrainingSession> createFromOnnxModel(
      const std::string& model, const DataFlow& dataFlow, const TensorId& loss,
      const Optimizer& optimizer, std::shared_ptr<DeviceInfo> device,
      const InputShapeInfo& inputs = InputShapeInfo(),
      const SessionOptions& options = SessionOptions(), const Patterns& patterns = Patterns(),
      const std::string name = "training");
  /// Takes the optimizer's numbers from now on.
  void updateOptimizerFromHost(const Optimizer* optimizer);

 private:
  using Session::Session;
};

}  // namespace popart

#endif  // popart_session_hpp
