#ifndef popart_popx_creatorx_hpp
#define popart_popx_creatorx_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/pointercomparators.hpp>
#include <popart/popx/debugcontextx.hpp>
#include <popart/popx/viewchangers.hpp>
#include <popart/region.hpp>
#include <poplar/Tensor.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Graph;
class Tensor;

namespace popx {

class ICreatorCandidate;
class Opx;
class ViewChangers;
using ICreatorCandidatePtr = std::shared_ptr<ICreatorCandidate>;

struct UnwindEndpoint;
using UnwindEndpointPtr = std::shared_ptr<UnwindEndpoint>;

struct TensorRegion {
  TensorRegion(view::Region offset_, view::Region region_, poplar::Tensor tensor_)
      : offset(offset_), region(region_), tensor(tensor_) {}
  view::Region offset;
  view::Region region;
  poplar::Tensor tensor;
};

using TensorRegions = std::vector<TensorRegion>;

struct OpxInAndOutIndex {
  OpxInAndOutIndex(const Opx*, InIndex, OutIndex) {
    emulator::missing("popart::popx::OpxInAndOutIndex");
  }
  OpxInAndOutIndex(const Opx*) { emulator::missing("popart::popx::OpxInAndOutIndex"); }
  OpxInAndOutIndex() = default;
  bool operator==(const OpxInAndOutIndex&) const {
    emulator::missing("popart::popx::OpxInAndOutIndex::operator==");
  }
  const Opx* opx;
  InIndex inIndex;
  OutIndex outIndex;
  bool isDelegate;
};

template <typename T>
using ICreatorCandidateMap = std::map<ICreatorCandidate*, T, PICreatorCandidateCmp>;

template <typename T>
using ConstICreatorCandidateMap = std::map<const ICreatorCandidate*, T, PICreatorCandidateCmp>;

using ICreatorCandidateSet = std::set<ICreatorCandidate*, PICreatorCandidateCmp>;

using ConstICreatorCandidateSet = std::set<const ICreatorCandidate*, PICreatorCandidateCmp>;

class ICreatorCandidate {
 public:
  ICreatorCandidate() { emulator::missing("popart::popx::ICreatorCandidate"); }
  virtual ~ICreatorCandidate() = default;
  virtual std::pair<poplar::Tensor, ViewChangers> createInput(const poplar::DebugNameAndId&) = 0;
  virtual DnfTensorIds mustExistBeforeCreate() = 0;
  virtual double getMaxCreatorPriority() const = 0;
  virtual int64_t getNumElems() const = 0;
  virtual std::vector<std::vector<OpxInAndOutIndex>> getPathsFromInput() = 0;
  virtual std::string str() = 0;
  virtual std::pair<poplar::Tensor, ViewChangers> unwind(poplar::Tensor) = 0;
  virtual std::vector<popart::view::Region> unwind(popart::view::Region) = 0;
  virtual std::vector<popart::view::Region> unwind() = 0;
  virtual int64_t getScheduleIndex() const = 0;
  static bool greaterThan(ICreatorCandidatePtr, ICreatorCandidatePtr) {
    emulator::missing("popart::popx::ICreatorCandidate::greaterThan");
  }
};

class InputCreatorCandidate : public ICreatorCandidate {
 public:
  InputCreatorCandidate(InIndex, const Opx*, std::vector<OpxInAndOutIndex>, int64_t) {
    emulator::missing("popart::popx::InputCreatorCandidate");
  }
  InputCreatorCandidate() = default;
  std::pair<poplar::Tensor, ViewChangers> createInput(const poplar::DebugNameAndId&) override {
    emulator::missing("popart::popx::InputCreatorCandidate::createInput");
  }
  DnfTensorIds mustExistBeforeCreate() override {
    emulator::missing("popart::popx::InputCreatorCandidate::mustExistBeforeCreate");
  }
  double getMaxCreatorPriority() const override {
    emulator::missing("popart::popx::InputCreatorCandidate::getMaxCreatorPriority");
  }
  int64_t getNumElems() const override {
    emulator::missing("popart::popx::InputCreatorCandidate::getNumElems");
  }
  InIndex getIndex() const { emulator::missing("popart::popx::InputCreatorCandidate::getIndex"); }
  const Opx* getOpx() const { emulator::missing("popart::popx::InputCreatorCandidate::getOpx"); }
  std::vector<std::vector<OpxInAndOutIndex>> getPathsFromInput() override {
    emulator::missing("popart::popx::InputCreatorCandidate::getPathsFromInput");
  }
  void setPathFromInput(const std::vector<OpxInAndOutIndex>&) {
    emulator::missing("popart::popx::InputCreatorCandidate::setPathFromInput");
  }
  std::pair<poplar::Tensor, ViewChangers> unwind(poplar::Tensor) override {
    emulator::missing("popart::popx::InputCreatorCandidate::unwind");
  }
  std::vector<popart::view::Region> unwind(popart::view::Region) override {
    emulator::missing("popart::popx::InputCreatorCandidate::unwind");
  }
  std::vector<popart::view::Region> unwind() override {
    emulator::missing("popart::popx::InputCreatorCandidate::unwind");
  }
  std::string str() override { emulator::missing("popart::popx::InputCreatorCandidate::str"); }
  int64_t getScheduleIndex() const override {
    emulator::missing("popart::popx::InputCreatorCandidate::getScheduleIndex");
  }

 protected:
  std::vector<OpxInAndOutIndex> pathFromInput;
};

struct UnwindEndpoint {
  const Graph& graph;
  const Tensor* const tensor;
  std::vector<OpxInAndOutIndex> pathFromInput;
  UnwindEndpoint(const Graph&, const Tensor* const, std::vector<OpxInAndOutIndex>)
      : graph(emulator::absent<const Graph>("popart::popx::UnwindEndpoint")),
        tensor(emulator::absent<Tensor* const>("popart::popx::UnwindEndpoint")) {}
};

class InputMultiCreatorCandidate : public ICreatorCandidate {
 public:
  InputMultiCreatorCandidate() { emulator::missing("popart::popx::InputMultiCreatorCandidate"); }
  std::pair<poplar::Tensor, ViewChangers> createInput(const poplar::DebugNameAndId&) override {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::createInput");
  }
  DnfTensorIds mustExistBeforeCreate() override {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::mustExistBeforeCreate");
  }
  double getMaxCreatorPriority() const override {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::getMaxCreatorPriority");
  }
  int64_t getNumElems() const override {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::getNumElems");
  }
  std::string str() override { emulator::missing("popart::popx::InputMultiCreatorCandidate::str"); }
  bool addCreatorCandidate(ICreatorCandidatePtr) {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::addCreatorCandidate");
  }
  std::vector<std::vector<OpxInAndOutIndex>> getPathsFromInput() override {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::getPathsFromInput");
  }
  std::pair<poplar::Tensor, ViewChangers> unwind(poplar::Tensor) override {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::unwind");
  }
  std::vector<popart::view::Region> unwind(popart::view::Region) override {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::unwind");
  }
  std::vector<popart::view::Region> unwind() override {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::unwind");
  }
  int64_t getScheduleIndex() const override {
    emulator::missing("popart::popx::InputMultiCreatorCandidate::getScheduleIndex");
  }
};

}  // namespace popx
}  // namespace popart

#endif  // popart_popx_creatorx_hpp
