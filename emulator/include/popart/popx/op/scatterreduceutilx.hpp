#ifndef popart_popx_op_scatterreduceutilx_hpp
#define popart_popx_op_scatterreduceutilx_hpp

#include <cstddef>
#include <popart/emulator/absent.hpp>
#include <popart/vendored/optional.hpp>
#include <vector>

namespace popart {

class ScatterReduceOp;
class ScatterReduceGradOp;

namespace popx {

class Opx;
enum class SlicePlanUsedFor;

namespace scatterreduceutilx {

class IScatterReductionStrategy {
 public:
  virtual poplar::OptionFlags createForwardPlanOptions(const ScatterReduceOp&) const = 0;
  virtual poplar::OptionFlags createBackwardPlanOptions(const ScatterReduceGradOp&) const = 0;
  virtual void initReductionOutput(const Opx&, const poplar::Tensor&,
                                   poplar::program::Sequence&) const = 0;
  virtual void forward(const ScatterReduceOp&, const Opx&, poplar::Tensor, poplar::Tensor,
                       poplar::Tensor, std::size_t, std::size_t, poplar::program::Sequence&,
                       const popops::SlicePlan&) const = 0;
  virtual std::vector<poplar::Tensor> backward(const ScatterReduceGradOp&, const Opx&,
                                               poplar::Tensor&, poplar::Tensor&, size_t, size_t,
                                               poplar::program::Sequence&,
                                               const popops::SlicePlan&) const = 0;
  virtual ~IScatterReductionStrategy() = default;
};

class ScatterReductionStrategy : public IScatterReductionStrategy {
 private:
  void initReductionOutput(const Opx&, const poplar::Tensor&,
                           poplar::program::Sequence&) const override {
    emulator::missing(
        "popart::popx::scatterreduceutilx::ScatterReductionStrategy::initReductionOutput");
  }
  void forward(const ScatterReduceOp&, const Opx&, poplar::Tensor, poplar::Tensor, poplar::Tensor,
               size_t, size_t, poplar::program::Sequence&,
               const popops::SlicePlan&) const override {
    emulator::missing("popart::popx::scatterreduceutilx::ScatterReductionStrategy::forward");
  }
  std::vector<poplar::Tensor> backward(const ScatterReduceGradOp&, const Opx&, poplar::Tensor&,
                                       poplar::Tensor&, size_t, size_t, poplar::program::Sequence&,
                                       const popops::SlicePlan&) const override {
    emulator::missing("popart::popx::scatterreduceutilx::ScatterReductionStrategy::backward");
  }
  poplar::OptionFlags createForwardPlanOptions(const ScatterReduceOp&) const override {
    emulator::missing(
        "popart::popx::scatterreduceutilx::ScatterReductionStrategy::createForwardPlanOptions");
  }
  poplar::OptionFlags createBackwardPlanOptions(const ScatterReduceGradOp&) const override {
    emulator::missing(
        "popart::popx::scatterreduceutilx::ScatterReductionStrategy::createBackwardPlanOptions");
  }
  virtual void applyReduction(const Opx&, const poplar::Tensor&, const poplar::Tensor&,
                              const poplar::Tensor&, poplar::program::Sequence&,
                              const popops::SlicePlan&, bool) const = 0;
  virtual std::vector<poplar::Tensor> calcGradient(const ScatterReduceGradOp&, const Opx&,
                                                   const poplar::Tensor&, const poplar::Tensor&,
                                                   size_t, size_t, poplar::program::Sequence&,
                                                   const popops::SlicePlan&) const = 0;
  virtual SlicePlanUsedFor forwardSlicePlanUsedFor() const = 0;
};

class SumReductionStrategy : public ScatterReductionStrategy {
 private:
  void applyReduction(const Opx&, const poplar::Tensor&, const poplar::Tensor&,
                      const poplar::Tensor&, poplar::program::Sequence&, const popops::SlicePlan&,
                      const bool) const override {
    emulator::missing("popart::popx::scatterreduceutilx::SumReductionStrategy::applyReduction");
  }
  std::vector<poplar::Tensor> calcGradient(const ScatterReduceGradOp&, const Opx&,
                                           const poplar::Tensor&, const poplar::Tensor&, size_t,
                                           size_t, poplar::program::Sequence&,
                                           const popops::SlicePlan&) const override {
    emulator::missing("popart::popx::scatterreduceutilx::SumReductionStrategy::calcGradient");
  }
  SlicePlanUsedFor forwardSlicePlanUsedFor() const override {
    emulator::missing(
        "popart::popx::scatterreduceutilx::SumReductionStrategy::forwardSlicePlanUsedFor");
  }
};

class NoneReductionStrategy : public ScatterReductionStrategy {
 private:
  void applyReduction(const Opx&, const poplar::Tensor&, const poplar::Tensor&,
                      const poplar::Tensor&, poplar::program::Sequence&, const popops::SlicePlan&,
                      const bool) const override {
    emulator::missing("popart::popx::scatterreduceutilx::NoneReductionStrategy::applyReduction");
  }
  std::vector<poplar::Tensor> calcGradient(const ScatterReduceGradOp&, const Opx&,
                                           const poplar::Tensor&, const poplar::Tensor&, size_t,
                                           size_t, poplar::program::Sequence&,
                                           const popops::SlicePlan&) const override {
    emulator::missing("popart::popx::scatterreduceutilx::NoneReductionStrategy::calcGradient");
  }
  SlicePlanUsedFor forwardSlicePlanUsedFor() const override {
    emulator::missing(
        "popart::popx::scatterreduceutilx::NoneReductionStrategy::forwardSlicePlanUsedFor");
  }
};

class MaxReductionStrategy : public ScatterReductionStrategy {
 protected:
  void applyReduction(const Opx&, const poplar::Tensor&, const poplar::Tensor&,
                      const poplar::Tensor&, poplar::program::Sequence&, const popops::SlicePlan&,
                      const bool) const override {
    emulator::missing("popart::popx::scatterreduceutilx::MaxReductionStrategy::applyReduction");
  }

 private:
  std::vector<poplar::Tensor> calcGradient(const ScatterReduceGradOp&, const Opx&,
                                           const poplar::Tensor&, const poplar::Tensor&, size_t,
                                           size_t, poplar::program::Sequence&,
                                           const popops::SlicePlan&) const override {
    emulator::missing("popart::popx::scatterreduceutilx::MaxReductionStrategy::calcGradient");
  }
  SlicePlanUsedFor forwardSlicePlanUsedFor() const override {
    emulator::missing(
        "popart::popx::scatterreduceutilx::MaxReductionStrategy::forwardSlicePlanUsedFor");
  }
};

class MinReductionStrategy : public MaxReductionStrategy {};

class MulReductionStrategy : public ScatterReductionStrategy {
 private:
  void applyReduction(const Opx&, const poplar::Tensor&, const poplar::Tensor&,
                      const poplar::Tensor&, poplar::program::Sequence&, const popops::SlicePlan&,
                      const bool) const override {
    emulator::missing("popart::popx::scatterreduceutilx::MulReductionStrategy::applyReduction");
  }
  std::vector<poplar::Tensor> calcGradient(const ScatterReduceGradOp&, const Opx&,
                                           const poplar::Tensor&, const poplar::Tensor&, size_t,
                                           size_t, poplar::program::Sequence&,
                                           const popops::SlicePlan&) const override {
    emulator::missing("popart::popx::scatterreduceutilx::MulReductionStrategy::calcGradient");
  }
  SlicePlanUsedFor forwardSlicePlanUsedFor() const override {
    emulator::missing(
        "popart::popx::scatterreduceutilx::MulReductionStrategy::forwardSlicePlanUsedFor");
  }
};

}  // namespace scatterreduceutilx
}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_scatterreduceutilx_hpp
