#ifndef popart_popx_irlowering_hpp
#define popart_popx_irlowering_hpp

#include <cmath>  // as in PopART
#include <map>
#include <memory>
#include <popart/names.hpp>
#include <popart/popx/poptensors.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Target.hpp>
#include <queue>  // as in PopART
#include <string>
#include <typeindex>      // as in PopART
#include <unordered_map>  // as in PopART
#include <unordered_set>  // as in PopART
#include <vector>

namespace popart {

class Ir;
class Op;
class Tensor;
class TensorInfo;
enum class DataType;

namespace popx {

class Devicex;
class Opx;

/// Makes a Poplar graph and a program of an Ir's ops.
class IrLowering {
 public:
  /// `devicex` is what the Opx are made with.
  IrLowering(const Ir& ir, const poplar::Target& target, Devicex& devicex);
  ~IrLowering();
  IrLowering(const IrLowering&) = delete;

  const Ir& ir() const { return ir_; }
  poplar::Graph& graph() { return graph_; }
  poplar::Graph& getVirtualGraph(VGraphId) { return graph_; }
  PopTensors& tensors() { return tensors_; }
  const PopTensors& tensors() const { return tensors_; }
  Opx* getOpx(OpId id) const;

  poplar::Tensor getConst(poplar::Graph& graph, const poplar::Type& type,
                          const std::vector<size_t>& shape, double value,
                          const poplar::DebugContext& debugContext = {});
  poplar::Tensor getScalarVariable(poplar::Graph& graph, const poplar::Type& type,
                                   const poplar::DebugContext& debugContext = {});

  /// Lays the inputs out and grows every op, in the order of the graph's schedule. See
  /// Devicex::prepare for `related`.
  void prepareGraph(const std::vector<Op*>& related);
  poplar::program::Sequence& program() { return program_; }

  /// Options that Opx pass on to libraries; none is set.
  poplar::OptionFlags gclOptions, convOptions, lstmOptions, matmulOptions, pooloptions,
      triangularSolveOptions;

 private:
  struct Creator;
  void addCodelets();
  std::vector<Creator> creators(Tensor* tensor);
  poplar::Tensor create(const Creator& creator, const Tensor& tensor);
  void createInput(Tensor* tensor);
  unsigned nextTile();

  const Ir& ir_;
  poplar::Graph graph_;
  PopTensors tensors_;
  poplar::program::Sequence program_;
  Devicex& devicex_;
  std::map<OpId, std::unique_ptr<Opx>> opxs_;
  std::vector<std::unique_ptr<Opx>> related_;
  std::vector<TensorId> creating_;  // inputs whose creators ask for others
  unsigned tile_ = 0;
};

/// The type of a tensor on the device. Throws `error` for one that the device does not have.
poplar::Type popType(DataType type);
poplar::Type popType(const TensorInfo& info);

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_irlowering_hpp
