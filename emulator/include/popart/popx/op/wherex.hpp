#ifndef popart_popx_op_wherex_hpp
#define popart_popx_op_wherex_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/opx.hpp>
#include <poplar/Tensor.hpp>
#include <set>

namespace popart {

class Op;

namespace popx {

class Devicex;
class BaseWhereOpx : public Opx {
 public:
  BaseWhereOpx(Op*, Devicex*) : Opx(emulator::absent<Op*>("popart::popx::BaseWhereOpx"), nullptr) {}

 protected:
  void outplace(poplar::program::Sequence&, const poplar::Tensor&, const poplar::Tensor&,
                const poplar::Tensor&) const {
    emulator::missing("popart::popx::BaseWhereOpx::outplace");
  }

 private:
  virtual void doGrow(poplar::program::Sequence&, const poplar::Tensor&, const poplar::Tensor&,
                      const poplar::Tensor&) const = 0;
};

class WhereOpx : public BaseWhereOpx {
 public:
  WhereOpx(Op*, Devicex*)
      : BaseWhereOpx(emulator::absent<Op*>("popart::popx::WhereOpx"), nullptr) {}
  void doGrow(poplar::program::Sequence&, const poplar::Tensor&, const poplar::Tensor&,
              const poplar::Tensor&) const override {
    emulator::missing("popart::popx::WhereOpx::doGrow");
  }
};

class WhereLhsInplaceOpx : public BaseWhereOpx {
 public:
  WhereLhsInplaceOpx(Op*, Devicex*)
      : BaseWhereOpx(emulator::absent<Op*>("popart::popx::WhereLhsInplaceOpx"), nullptr) {}
  void doGrow(poplar::program::Sequence&, const poplar::Tensor&, const poplar::Tensor&,
              const poplar::Tensor&) const override {
    emulator::missing("popart::popx::WhereLhsInplaceOpx::doGrow");
  }
};

class WhereRhsInplaceOpx : public BaseWhereOpx {
 public:
  WhereRhsInplaceOpx(Op*, Devicex*)
      : BaseWhereOpx(emulator::absent<Op*>("popart::popx::WhereRhsInplaceOpx"), nullptr) {}
  void doGrow(poplar::program::Sequence&, const poplar::Tensor&, const poplar::Tensor&,
              const poplar::Tensor&) const override {
    emulator::missing("popart::popx::WhereRhsInplaceOpx::doGrow");
  }
};

class WhereXGradOpx : public Opx {
 public:
  WhereXGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::WhereXGradOpx"), nullptr) {}
};

class WhereYGradOpx : public Opx {
 public:
  WhereYGradOpx(Op*, Devicex*)
      : Opx(emulator::absent<Op*>("popart::popx::WhereYGradOpx"), nullptr) {}
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_op_wherex_hpp
