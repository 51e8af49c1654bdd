#ifndef popart_ir_hpp
#define popart_ir_hpp

#include <memory>
#include <popart/graph.hpp>
#include <popart/names.hpp>
#include <popart/patterns/patterns.hpp>  // as in PopART
#include <popart/sessionoptions.hpp>
#include <popart/tensornames.hpp>
#include <set>
#include <string>

namespace popart {

/// The intermediate representation: here a main graph only.
class Ir {
 public:
  enum class ExecutionMode { Inference, Training };

  Ir();
  ~Ir();
  Ir(const Ir&) = delete;

  Graph& getMainGraph() { return *main_; }
  const Graph& getMainGraph() const { return *main_; }
  std::vector<const Graph*> getAllGraphs() const { return {main_.get()}; }
  Tensor* getTensor(const TensorId& id) { return main_->getTensor(id); }
  bool containsTensor(const TensorId& id) const { return main_->getTensors().contains(id); }

  const SessionOptions& getSessionOptions() const { return options_; }
  SessionOptions& getSessionOptions() { return options_; }
  ExecutionMode getExecutionMode() const { return mode_; }
  void setExecutionMode(ExecutionMode mode) { mode_ = mode; }
  bool isTraining() const { return mode_ == ExecutionMode::Training; }
  bool canInfer() const { return mode_ == ExecutionMode::Inference; }
  bool canTrain() const { return isTraining(); }
  bool hasConstructedBackwards() const { return backwards_; }
  void setConstructedBackwards() { backwards_ = true; }
  bool virtualGraphsEnabled() const { return false; }
  OpId getAndIncrOpsCounter() { return counter_++; }
  OpId getOpsCounter() const { return counter_; }
  TensorId createIntermediateTensorId(const TensorId& base);

  /// Tensors that a written model has in addition to its weights. C++ sessions write no models.
  void addAdditionalModelProtoTensor(const TensorId& id) { additionalTensors_.insert(id); }
  const std::set<TensorId>& getAdditionalModelProtoTensors() const { return additionalTensors_; }

  /// Runs the patterns that are enabled, until none of them changes the graph.
  void applyPreAliasPatterns();

 private:
  OpId counter_ = 100;
  int tensorCounter_ = 0;
  SessionOptions options_;
  ExecutionMode mode_ = ExecutionMode::Inference;
  bool backwards_ = false;
  std::set<TensorId> additionalTensors_;
  std::unique_ptr<Graph> main_;
};

}  // namespace popart

#endif  // popart_ir_hpp
