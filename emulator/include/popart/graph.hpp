#ifndef popart_graph_hpp
#define popart_graph_hpp

#include <map>
#include <memory>
#include <popart/debugcontext.hpp>
#include <popart/graphid.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/scheduler_requireoptimal.hpp>
#include <popart/tensor.hpp>
#include <popart/tensors.hpp>
#include <unordered_map>  // as in PopART
#include <utility>
#include <vector>

namespace popart {

class Ir;
class TopoCons;

/// Ops and the tensors between them.
class Graph {
 public:
  Graph(Ir& ir, const GraphId& id);
  ~Graph();
  Graph() = delete;
  Graph(const Graph&) = delete;

  const GraphId id;
  /// The order of ops beyond that of their tensors.
  const std::unique_ptr<TopoCons> topoCons;

  const Ir& getIr() const { return ir_; }
  Ir& getIr() { return ir_; }
  const std::string& getGraphId() const { return id.str(); }

  const Tensors& getTensors() const { return tensors_; }
  Tensors& getTensors() { return tensors_; }
  Tensor* getTensor(const TensorId& tensorId) { return tensors_.get(tensorId); }

  const std::map<OpId, std::unique_ptr<Op>>& getOps() const { return ops_; }
  std::map<OpId, std::unique_ptr<Op>>& getOps() { return ops_; }
  std::vector<OpId> getOpIds() const;
  /// Throws `error` for an id that is none.
  Op* getOp(OpId opId) const;
  OpId moveIntoGraph(std::unique_ptr<Op> op);
  std::map<OpId, std::unique_ptr<Op>>::iterator eraseOp(OpId opId);
  /// Inputs before the ops that take them, and an op that writes a tensor in place after the other
  /// ops that take it, and as topoCons and `more` say. Throws `error` where there is no such order.
  std::vector<Op*> getOpSchedule(
      const OpsBeforeKey& more = {},
      RequireOptimalSchedule requireOptimal = RequireOptimalSchedule::No) const;

  template <class OP, class... Args>
  OP* createOp(Args&&... args) {
    std::unique_ptr<Op> op(new OP(std::forward<Args>(args)...));
    return static_cast<OP*>(getOp(moveIntoGraph(std::move(op))));
  }
  template <class OP, class... Args>
  OP* createConnectedOp(const std::map<InIndex, TensorId>& in,
                        const std::map<OutIndex, TensorId>& out, Args&&... args) {
    OP* op = createOp<OP>(std::forward<Args>(args)...);
    for (const auto& i : in) op->connectInTensor(i.first, i.second);
    for (const auto& o : out) op->createAndConnectOutTensor(o.first, o.second);
    op->setup();
    return op;
  }

  const std::vector<TensorId>& getInputIds() const { return inputs_; }
  const std::vector<TensorId>& getOutputIds() const { return outputs_; }
  bool hasInputId(const TensorId& tensorId) const;
  bool hasOutputId(const TensorId& tensorId) const;
  void addInput(const TensorId& tensorId, const TensorInfo& info);
  void markAsOutput(const TensorId& tensorId) { outputs_.push_back(tensorId); }

  const TensorId& getLoss() const { return loss_; }
  void setLoss(const TensorId& loss) { loss_ = loss; }

 private:
  Ir& ir_;
  Tensors tensors_;
  std::map<OpId, std::unique_ptr<Op>> ops_;
  std::vector<TensorId> inputs_, outputs_;
  TensorId loss_;
};

}  // namespace popart

#endif  // popart_graph_hpp
