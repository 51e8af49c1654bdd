#ifndef popart_op_upsample_hpp
#define popart_op_upsample_hpp

#include <iosfwd>
#include <memory>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <string>
#include <vector>

namespace popart {

struct OperatorIdentifier;
enum class UpsampleMode { Nearest, Linear, N };

inline std::string toString(const UpsampleMode&) { emulator::missing("popart::toString"); }

inline std::ostream& operator<<(std::ostream&, const UpsampleMode&) {
  emulator::missing("popart::operator<<");
}

class UpsampleOp : public emulator::AbsentOp {
 public:
  template <class... Args>
  explicit UpsampleOp(const Args&...)
      : emulator::AbsentOp(emulator::absent<const OperatorIdentifier>("popart::UpsampleOp")) {}
  static InIndex getInIndex() { return 0; }
  static OutIndex getOutIndex() { return 0; }
  UpsampleMode getMode() const { emulator::missing("popart::UpsampleOp::getMode"); }
  const std::vector<float>& getScales() const {
    emulator::missing("popart::UpsampleOp::getScales");
  }
};

}  // namespace popart

#endif  // popart_op_upsample_hpp
