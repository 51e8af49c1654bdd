// PopOpx of SDK 2.3 to 3.0: an Opx on snap's tensors.
#ifndef popart_popx_popopx_hpp
#define popart_popx_popopx_hpp

#include <memory>
#include <popart/popx/opx.hpp>
#include <popart/popx/opxmanager.hpp>
#include <snap/Graph.hpp>
#include <snap/Program.hpp>
#include <snap/Tensor.hpp>

namespace popart {
namespace popx {

class PopOpx : public Opx {
 public:
  PopOpx(Op* op, Devicex* devicex) : Opx(op, devicex) {}

  virtual void grow(snap::program::Sequence& program) const = 0;
  void grow(poplar::program::Sequence& program) const final {
    snap::program::Sequence wrapped(program);
    grow(wrapped);
  }

  // The layout of an input: by default as of an Opx without one.
  virtual snap::Tensor createInputTensor(InIndex index, const poplar::DebugNameAndId& name,
                                         bool /*snap*/) const {
    return snap::Tensor(Opx::createInputTensor(index, name), graph());
  }
  virtual snap::Tensor unwindTensorLayout(snap::Tensor tensor, InIndex in, OutIndex out) const {
    return snap::Tensor(Opx::unwindTensorLayout(tensor.getPoplarTensor(), in, out), graph());
  }
  poplar::Tensor unwindTensorLayout(poplar::Tensor tensor, InIndex in, OutIndex out) const final {
    return unwindTensorLayout(snap::Tensor(tensor, graph()), in, out).getPoplarTensor();
  }

  snap::Graph& graph() const {
    if (!graph_) graph_.reset(new snap::Graph(Opx::graph()));
    return *graph_;
  }
  snap::Graph& topLevelGraph() const { return graph(); }
  snap::Tensor get(TensorId id) const { return snap::Tensor(Opx::get(id), graph()); }
  snap::Tensor getInTensor(InIndex index) const { return get(inId(index)); }
  snap::Tensor getOutTensor(OutIndex index) const { return get(outId(index)); }
  snap::Tensor getInView(InIndex index) const { return getInTensor(index); }
  void insert(TensorId id, const snap::Tensor& tensor) const {
    Opx::insert(id, tensor.getPoplarTensor());
  }
  void setOutTensor(OutIndex index, const snap::Tensor& tensor) const {
    Opx::setOutTensor(index, tensor.getPoplarTensor());
  }
  snap::Tensor cloneNcopy(snap::program::Sequence& program, TensorId id) const {
    return snap::Tensor(Opx::cloneNcopy(program.getPoplarSequence(), id), graph());
  }
  snap::Tensor cloneNcopy(snap::program::Sequence& program, const snap::Tensor& tensor,
                          const std::string name = "") const {
    return snap::Tensor(
        Opx::cloneNcopy(program.getPoplarSequence(), tensor.getPoplarTensor(), name), graph());
  }
  snap::Tensor broadcast(const std::vector<std::int64_t>& shape, snap::Tensor tensor) const {
    return snap::Tensor(Opx::broadcast(shape, tensor.getPoplarTensor()), graph());
  }
  snap::Tensor getConst(const poplar::Type& type, const std::vector<std::size_t>& shape,
                        double value, const std::string& name) const {
    return snap::Tensor(Opx::getConst(type, shape, value, name), graph());
  }
  snap::Tensor getScalarVariable(const poplar::Type& type, const std::string& name) const {
    return snap::Tensor(Opx::getScalarVariable(type, name), graph());
  }

 private:
  mutable std::unique_ptr<snap::Graph> graph_;
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_popopx_hpp
