#ifndef popart_op_scan_hpp
#define popart_op_scan_hpp

#include <cstdint>
#include <functional>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/subgraph.hpp>
#include <popart/tensorindex.hpp>
#include <vector>

namespace popart {

class Graph;
struct OperatorIdentifier;
class ScanOp : public SubgraphOp {
 public:
  template <class... Args>
  explicit ScanOp(const Args&...)
      : SubgraphOp(emulator::absent<const OperatorIdentifier>("popart::ScanOp")) {}
  Graph& getCalledGraph() const override { emulator::missing("popart::ScanOp::getCalledGraph"); }
  void setCalledGraph(Graph&) override { emulator::missing("popart::ScanOp::setCalledGraph"); }
  InIndex subgraphInToOpInIndex(InIndex) const override {
    emulator::missing("popart::ScanOp::subgraphInToOpInIndex");
  }
  InIndex opInToSubgraphInIndex(InIndex) const override {
    emulator::missing("popart::ScanOp::opInToSubgraphInIndex");
  }
  OutIndex subgraphOutToOpOutIndex(OutIndex) const override {
    emulator::missing("popart::ScanOp::subgraphOutToOpOutIndex");
  }
  OutIndex opOutToSubgraphOutIndex(OutIndex) const override {
    emulator::missing("popart::ScanOp::opOutToSubgraphOutIndex");
  }
  int getTripCountValue() const { emulator::missing("popart::ScanOp::getTripCountValue"); }
  int getNumScanInputs() const { emulator::missing("popart::ScanOp::getNumScanInputs"); }
  int getNumVariables() const { emulator::missing("popart::ScanOp::getNumVariables"); }
  int getNumImplicitInputs() const { emulator::missing("popart::ScanOp::getNumImplicitInputs"); }
  int getNumScanOutputs() const { emulator::missing("popart::ScanOp::getNumScanOutputs"); }
  int64_t getScanInputAxis(int) const { emulator::missing("popart::ScanOp::getScanInputAxis"); }
  bool isScanInputReversed(int) const { emulator::missing("popart::ScanOp::isScanInputReversed"); }
  int64_t getScanOutputAxis(int) const { emulator::missing("popart::ScanOp::getScanOutputAxis"); }
  bool isScanOutputReversed(int) const {
    emulator::missing("popart::ScanOp::isScanOutputReversed");
  }
  int64_t getScanInputDirection(int) const {
    emulator::missing("popart::ScanOp::getScanInputDirection");
  }
  int64_t getScanOutputDirection(int) const {
    emulator::missing("popart::ScanOp::getScanOutputDirection");
  }
};

}  // namespace popart

#endif  // popart_op_scan_hpp
