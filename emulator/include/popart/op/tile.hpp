#ifndef popart_op_tile_hpp
#define popart_op_tile_hpp

#include <popart/emulator/AbsentOp.hpp>

namespace popart {

class TileOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit TileOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::TileOp")) {}
  static int getInIndex() { return 0; }
  static int getOutIndex() { return 0; }
};

class TileGradOp : public TileOp {
 public:
  template <class... Args>
  explicit TileGradOp(const Args&...)
      : TileOp(emulator::absent<const OperatorIdentifier>("popart::TileGradOp")) {}
};

}  // namespace popart

#endif  // popart_op_tile_hpp
