#ifndef popart_popx_devicex_hpp
#define popart_popx_devicex_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/ir.hpp>
#include <popart/names.hpp>
#include <popart/popx/irlowering.hpp>
#include <poplar/Device.hpp>
#include <poplar/Engine.hpp>
#include <poplin/Convolution.hpp>
#include <poplin/MatMul.hpp>
#include <string>

namespace popart {
namespace popx {

/// An Ir on a Poplar device: compiled, loaded and run.
class Devicex {
 public:
  /// `device` has to outlive it.
  Devicex(const Ir& ir, const poplar::Device& device);
  ~Devicex();
  Devicex(const Devicex&) = delete;

  const Ir& ir() const { return ir_; }
  IrLowering& lowering() { return lowering_; }
  const IrLowering& lowering() const { return lowering_; }

  /// Lowers, compiles and loads. `reads` are the tensors that the host reads; `related` are ops of
  /// another Ir, of which the Opx are made, for the codelets that they add, and not grown.
  void prepare(const std::vector<TensorId>& reads, const std::vector<Op*>& related = {});
  bool isPrepared() const { return engine_ != nullptr; }
  /// `size` bytes must be the tensor's.
  void write(const TensorId& id, const void* data, std::size_t size);
  void read(const TensorId& id, void* data, std::size_t size);
  /// Whether the device has the tensor: an input that no op takes is not there.
  bool has(const TensorId& id) const { return lowering_.tensors().contains(id); }
  void run();

  /// Modelled, of the last run, without the host's exchanges. Throws poplar's
  /// missing_perf_estimate where a vertex has no estimate.
  std::uint64_t cycles() const;

  /// Of the products and convolutions of all Opx.
  poplin::PlanningCache convCache;
  poplin::matmul::PlanningCache matmulCache;

 private:
  const Ir& ir_;
  const poplar::Device& device_;
  IrLowering lowering_;
  std::unique_ptr<poplar::Engine> engine_;
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_devicex_hpp
