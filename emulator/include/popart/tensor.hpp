#ifndef popart_tensor_hpp
#define popart_tensor_hpp

#include <map>
#include <memory>
#include <ostream>
#include <popart/debugcontext.hpp>
#include <popart/error.hpp>
#include <popart/names.hpp>
#include <popart/tensordata.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/tensorlocation.hpp>
#include <popart/vertex.hpp>
#include <set>
#include <string>
#include <vector>

namespace popart {

class Graph;
class Ir;
class Op;
class Tensor;

enum class TensorType {
  ActGrad = 0,  // an op's output
  Const,
  Stream,  // from the host, each step
  Unknown,
  Variable,
  N
};

std::ostream& operator<<(std::ostream& out, const TensorType& type);

/// Orders ops by their ids.
struct POpCmp {
  bool operator()(const Op* a, const Op* b) const;
};
/// Orders tensors by their ids.
struct PTensorCmp {
  bool operator()(const Tensor* a, const Tensor* b) const;
};

/// The ops that take a tensor, each as often as it does.
class Consumers {
 public:
  int n(Op* op) const;
  void increment(Op* op);
  void decrement(Op* op);
  int getTotal() const;
  const std::map<Op*, int, POpCmp>& getMap() const { return ops_; }
  std::vector<Op*> getOps() const;

 private:
  std::map<Op*, int, POpCmp> ops_;
};

/// A tensor of PopART's graph.
class Tensor : public Vertex {
 public:
  Tensor(TensorId id, TensorType type, Graph& graph, const DebugContext& debugContext = {});

  TensorId id;
  Consumers consumers;
  TensorInfo info;

  std::string str() const final { return id; }
  TensorType tensorType() const { return type_; }
  std::string tensor_type() const;
  void setTensorType(TensorType type) { type_ = type; }

  Op* getProducerUnsafe() const { return producer_; }
  /// Throws `error` where there is none.
  Op* getProducer() const;
  bool hasProducer() const { return producer_ != nullptr; }
  void setProducer(Op* op);
  void resetProducer(Op* op) { producer_ = op; }

  bool isGraphInput() const;
  bool isGraphOutput() const;
  bool isAnchored() const;
  bool isOptimizerTensor() const;
  bool isRandomSeedTensor() const;
  bool isWeightTensor() const { return type_ == TensorType::Variable; }
  bool isModified(bool considerLoopInput = true) const;

  bool hasTensorData() const { return data_ != nullptr; }
  TensorData* tensorData();
  const TensorData* tensorData() const;
  void setTensorDataFromCopyOf(const void* source, std::size_t size);

  std::vector<Op*> associatedOps() const;
  Graph& getGraph() { return graph_; }
  const Graph& getGraph() const { return graph_; }
  Ir& getIr();
  const Ir& getIr() const;
  const DebugInfo& getDebugInfo() const { return debugInfo_; }

 private:
  Graph& graph_;
  Op* producer_ = nullptr;
  TensorType type_;
  std::unique_ptr<TensorData> data_;
  DebugInfo debugInfo_;
};

using TensorSet = std::set<Tensor*, PTensorCmp>;
using ConstTensorSet = std::set<const Tensor*, PTensorCmp>;

}  // namespace popart

#endif  // popart_tensor_hpp
