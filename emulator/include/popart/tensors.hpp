#ifndef popart_tensors_hpp
#define popart_tensors_hpp

#include <map>
#include <memory>
#include <popart/debugcontext.hpp>
#include <popart/tensor.hpp>
#include <string>
#include <vector>

namespace popart {

class Graph;
class Scope;

/// The tensors of a Graph.
class Tensors {
 public:
  explicit Tensors(Graph& graph) : graph_(graph) {}

  /// Throws `error` for an id that is none.
  Tensor* get(TensorId id) const;
  bool contains(TensorId id) const { return tensors_.count(id) > 0; }
  void remove(TensorId id) { tensors_.erase(id); }
  std::size_t n() const { return tensors_.size(); }

  void addVarInit(const TensorId& id, const TensorInfo& info, const void* source,
                  const DebugContext& debugContext = {});
  void addConstInit(const TensorId& id, const TensorInfo& info, const void* source,
                    const DebugContext& debugContext = {});
  void addStream(TensorId id, const TensorInfo& info, const DebugContext& debugContext = {});
  void addActGrad(TensorId id, const DebugContext& debugContext = {});

  std::vector<TensorId> getIds(TensorType type) const;
  std::vector<Tensor*> getOfType(TensorType type) const;
  std::vector<Tensor*> getAll() const;
  std::vector<TensorId> getAllTensorIds() const;
  std::vector<TensorId> getNoProducerIds() const;

 private:
  Tensor* add(const TensorId& id, TensorType type, const DebugContext& debugContext);

  Graph& graph_;
  std::map<TensorId, std::unique_ptr<Tensor>> tensors_;
};

}  // namespace popart

#endif  // popart_tensors_hpp
