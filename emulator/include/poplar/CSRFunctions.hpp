// Control registers of tiles. The emulator runs the host build of codelets, as an IPUModel does: it
// has no such registers, arithmetic never traps and rounds to nearest.
#ifndef poplar_CSRFunctions_hpp
#define poplar_CSRFunctions_hpp

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

/// Which floating point events end a run, whether half rounds stochastically, and whether what
/// overflows becomes a NaN.
struct FloatingPointBehaviour {
  FloatingPointBehaviour() {}
  FloatingPointBehaviour(bool inv_, bool div0_, bool oflo_, bool esr_, bool nanoo_)
      : inv(inv_), div0(div0_), oflo(oflo_), esr(esr_), nanoo(nanoo_) {}

  FloatingPointBehaviour operator!() const {
    return FloatingPointBehaviour(!inv, !div0, !oflo, !esr, !nanoo);
  }

  bool inv = true, div0 = true, oflo = true, esr = true, nanoo = true;
};

/// Changes nothing in what runs: see above. A tensor is one that getAndModifyFloatingPointBehaviour
/// gave.
void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                               const FloatingPointBehaviour& behaviour,
                               const DebugContext& debugContext = {});
void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const Tensor& behaviour,
                               const DebugContext& debugContext = {});
/// The registers as they were, for setFloatingPointBehaviour to restore: UNSIGNED_INT {tiles}, all
/// zero.
Tensor getAndModifyFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                                          const FloatingPointBehaviour& clear,
                                          const FloatingPointBehaviour& set,
                                          const DebugContext& debugContext = {});

/// Changes nothing in what runs: see above.
void setStochasticRounding(Graph& graph, program::Sequence& prog, bool enable,
                           const DebugContext& debugContext = {});

}  // namespace poplar

#endif  // poplar_CSRFunctions_hpp
