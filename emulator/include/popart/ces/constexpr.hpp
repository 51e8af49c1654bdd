#ifndef popart_ces_constexpr_hpp
#define popart_ces_constexpr_hpp

#include <functional>
#include <map>
#include <memory>
#include <popart/datatype.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/error.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/typefunctor.hpp>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace popart {

class Graph;
class Tensor;
class TensorInfo;
class ConstExprOp {
 public:
  ConstExprOp(Op*) { emulator::missing("popart::ConstExprOp"); }
  virtual ~ConstExprOp() = default;
  virtual std::vector<char> compute() = 0;

 protected:
  Tensor* inTensor(InIndex) const { emulator::missing("popart::ConstExprOp::inTensor"); }
  const TensorInfo& inInfo(InIndex) const { emulator::missing("popart::ConstExprOp::inInfo"); }
  const Shape& inShape(InIndex) const { emulator::missing("popart::ConstExprOp::inShape"); }
  const TensorInfo& outInfo0() const { emulator::missing("popart::ConstExprOp::outInfo0"); }
  template <typename OpFunctor, typename... Args>
  static std::vector<char> callOpFunctor(DataType, Args&&...) {
    emulator::missing("popart::ConstExprOp::callOpFunctor");
  }
  template <class OP>
  OP& getOp() const {
    emulator::missing("popart::ConstExprOp::getOp");
  }
  const Op* getBaseOp() const { emulator::missing("popart::ConstExprOp::getBaseOp"); }
};

class ConstExprUtil {
 public:
  static bool isComputable(Op*, Graph&) {
    emulator::missing("popart::ConstExprUtil::isComputable");
  }
  static bool shouldBeFolded(Op*, Graph&) {
    emulator::missing("popart::ConstExprUtil::shouldBeFolded");
  }
  static void processOp(Op*, Graph&) { emulator::missing("popart::ConstExprUtil::processOp"); }
  static void foldConstants(Graph&) { emulator::missing("popart::ConstExprUtil::foldConstants"); }
};

/// The emulation computes constants as other tensors, and asks for none of these.
class ConstExprOpManager {
 public:
  using ConstExprOpFactoryFunc = std::function<std::unique_ptr<ConstExprOp>(Op* op)>;
  static void registerConstExprOp(const std::string&, ConstExprOpFactoryFunc) {}
  static std::unique_ptr<ConstExprOp> createConstExprOp(Op*) {
    emulator::missing("popart::ConstExprOpManager::createConstExprOp");
  }
  static bool hasConstExprOp(Op*) { return false; }
};

template <class OP>
class ConstExprOpCreator {
 public:
  ConstExprOpCreator(const std::string&) {}
};

}  // namespace popart

#endif  // popart_ces_constexpr_hpp
