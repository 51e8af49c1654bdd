#ifndef popart_patterns_matmulgradpattern_hpp
#define popart_patterns_matmulgradpattern_hpp

#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/op/matmul.hpp>
#include <popart/patterns/pattern.hpp>
#include <vector>

namespace popart {

class Tensor;
class MatMulPattern : public PreAliasPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::MatMulPattern::matches"); }
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::MatMulPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::MatMulPattern::apply"); }
};

class MatMulGradPattern : public PreAliasPattern {
 public:
  std::vector<const Tensor*> touches(Op*) const override {
    emulator::missing("popart::MatMulGradPattern::touches");
  }
  bool apply(Op*) const override { emulator::missing("popart::MatMulGradPattern::apply"); }
  virtual popart::Tensor* getIn(Op*) const = 0;
  virtual popart::Tensor* getGradIn(Op*) const = 0;
  virtual popart::Tensor* getGradOut(Op*) const = 0;
  virtual InIndex getInIndex() const = 0;
  virtual InIndex getGradInIndex() const = 0;
};

class MatMulLhsGradPattern : public MatMulGradPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::MatMulLhsGradPattern::matches"); }
  popart::Tensor* getIn(Op*) const override {
    emulator::missing("popart::MatMulLhsGradPattern::getIn");
  }
  popart::Tensor* getGradIn(Op*) const override {
    emulator::missing("popart::MatMulLhsGradPattern::getGradIn");
  }
  popart::Tensor* getGradOut(Op*) const override {
    emulator::missing("popart::MatMulLhsGradPattern::getGradOut");
  }
  InIndex getInIndex() const override {
    emulator::missing("popart::MatMulLhsGradPattern::getInIndex");
  }
  InIndex getGradInIndex() const override {
    emulator::missing("popart::MatMulLhsGradPattern::getGradInIndex");
  }
};

class MatMulRhsGradPattern : public MatMulGradPattern {
 public:
  bool matches(Op*) const override { emulator::missing("popart::MatMulRhsGradPattern::matches"); }
  popart::Tensor* getIn(Op*) const override {
    emulator::missing("popart::MatMulRhsGradPattern::getIn");
  }
  popart::Tensor* getGradIn(Op*) const override {
    emulator::missing("popart::MatMulRhsGradPattern::getGradIn");
  }
  popart::Tensor* getGradOut(Op*) const override {
    emulator::missing("popart::MatMulRhsGradPattern::getGradOut");
  }
  InIndex getInIndex() const override {
    emulator::missing("popart::MatMulRhsGradPattern::getInIndex");
  }
  InIndex getGradInIndex() const override {
    emulator::missing("popart::MatMulRhsGradPattern::getGradInIndex");
  }
};

}  // namespace popart

#endif  // popart_patterns_matmulgradpattern_hpp
