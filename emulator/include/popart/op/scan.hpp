#ifndef popart_op_scan_hpp
#define popart_op_scan_hpp

#include <popart/emulator/AbsentOp.hpp>
#include <popart/op/subgraph.hpp>

namespace popart {

class ScanOp : public SubgraphOp {
 public:
  template <class... Args>
  explicit ScanOp(const Args&...)
      : SubgraphOp(emulator::absent<const OperatorIdentifier>("popart::ScanOp")) {}
};

}  // namespace popart

#endif  // popart_op_scan_hpp
