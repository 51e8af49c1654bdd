#ifndef popart_op_tile_hpp
#define popart_op_tile_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class TileOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit TileOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::TileOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  const Shape& getOutShape() { emulator::missing("popart::TileOp::getOutShape"); }
  const std::vector<int64_t>& getRepeats() const {
    emulator::missing("popart::TileOp::getRepeats");
  }
};

class TileGradOp : public TileOp {
 public:
  template <class... Args>
  explicit TileGradOp(const Args&...)
      : TileOp(emulator::absent<const OperatorIdentifier>("popart::TileGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_tile_hpp
