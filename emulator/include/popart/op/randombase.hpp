#ifndef popart_op_randombase_hpp
#define popart_op_randombase_hpp

#include <memory>
#include <popart/attributes.hpp>
#include <popart/datatype.hpp>
#include <popart/emulator/AbsentOp.hpp>
#include <popart/op.hpp>
#include <popart/op/shapeorlike.hpp>
#include <vector>

namespace popart {

struct OperatorIdentifier;
class RandomBaseOp : public ShapeOrLikeOp {
 public:
  template <class... Args>
  explicit RandomBaseOp(const Args&...)
      : ShapeOrLikeOp(emulator::absent<const OperatorIdentifier>("popart::RandomBaseOp")) {}
  static std::vector<DataType> supportedDataTypes() {
    emulator::missing("popart::RandomBaseOp::supportedDataTypes");
  }
  std::vector<DataType> getSupportedDataTypes() const override {
    emulator::missing("popart::RandomBaseOp::getSupportedDataTypes");
  }
  static void errorIfSeedIsSet(const Attributes&, OperatorIdentifier) {
    emulator::missing("popart::RandomBaseOp::errorIfSeedIsSet");
  }
};

class RandomNormalBaseOp : public RandomBaseOp {
 public:
  template <class... Args>
  explicit RandomNormalBaseOp(const Args&...)
      : RandomBaseOp(emulator::absent<const OperatorIdentifier>("popart::RandomNormalBaseOp")) {}
  float getMean() const { emulator::missing("popart::RandomNormalBaseOp::getMean"); }
  float getScale() const { emulator::missing("popart::RandomNormalBaseOp::getScale"); }
};

class RandomUniformBaseOp : public RandomBaseOp {
 public:
  template <class... Args>
  explicit RandomUniformBaseOp(const Args&...)
      : RandomBaseOp(emulator::absent<const OperatorIdentifier>("popart::RandomUniformBaseOp")) {}
  float getHigh() const { emulator::missing("popart::RandomUniformBaseOp::getHigh"); }
  float getLow() const { emulator::missing("popart::RandomUniformBaseOp::getLow"); }
};

}  // namespace popart

#endif  // popart_op_randombase_hpp
