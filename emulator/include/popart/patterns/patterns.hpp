#ifndef popart_patterns_patterns_hpp
#define popart_patterns_patterns_hpp

#include <map>
#include <popart/patterns/pattern.hpp>
#include <string>
#include <vector>

namespace popart {

enum class PatternsLevel { NoPatterns, Minimal, Default, All };

/// A name for a pattern, which PatternCreator gives here too.
template <class PATTERN>
class AddPatternName {
 public:
  explicit AddPatternName(const std::string&) {}
};

/// Which patterns a session runs: of the libraries that are loaded, as the emulation has none.
class Patterns {
 public:
  Patterns(PatternsLevel level = PatternsLevel::Default) : level_(level) {}
  Patterns& enablePattern(const std::string& name, bool value) {
    settings_[name] = value;
    return *this;
  }
  Patterns(const std::vector<std::string>& names) {
    for (const std::string& name : names) settings_[name] = true;
  }
  static Patterns create(const std::vector<std::string>& names) { return Patterns(names); }
  /// Whether it was set to run; those of libraries run unless they were set not to.
  bool isPatternEnabled(const std::string& name) const {
    const auto entry = settings_.find(name);
    return entry != settings_.end() && entry->second;
  }
  static Patterns ofSettings(const std::map<std::string, bool>& settings) {
    Patterns out;
    out.settings_ = settings;
    return out;
  }
  PatternsLevel level() const { return level_; }

  // PopART's own patterns, which change how a graph is computed and not what: the emulation takes
  // their settings and has none of them.
#define POPSNN_PATTERN(name)                                         \
  bool is##name##Enabled() const { return isPatternEnabled(#name); } \
  Patterns& enable##name(bool value) { return enablePattern(#name, value); }
  POPSNN_PATTERN(InitAccumulate)
  POPSNN_PATTERN(PreUniRepl)
  POPSNN_PATTERN(PostNRepl)
  POPSNN_PATTERN(SoftMaxGradDirect)
  POPSNN_PATTERN(NlllWithSoftMaxGradDirect)
  POPSNN_PATTERN(SplitGather)
  POPSNN_PATTERN(OpToIdentity)
  POPSNN_PATTERN(UpsampleToResize)
  POPSNN_PATTERN(SubtractArg1GradOp)
  POPSNN_PATTERN(MulArgGradOp)
  POPSNN_PATTERN(ReciprocalGradOp)
  POPSNN_PATTERN(Atan2Arg0GradOp)
  POPSNN_PATTERN(Atan2Arg1GradOp)
  POPSNN_PATTERN(DivArg0GradOp)
  POPSNN_PATTERN(DivArg1GradOp)
  POPSNN_PATTERN(PowArg0GradOp)
  POPSNN_PATTERN(PowArg1GradOp)
  POPSNN_PATTERN(SinGradOp)
  POPSNN_PATTERN(CosGradOp)
  POPSNN_PATTERN(InPlace)
  POPSNN_PATTERN(UpdateInplacePrioritiesForIpu)
  POPSNN_PATTERN(SqrtGradOp)
  POPSNN_PATTERN(ConvFlipWeightsDoubleFlip)
  POPSNN_PATTERN(ConvFlipWeightsGradOp)
  POPSNN_PATTERN(ExpandCast)
  POPSNN_PATTERN(ExpGradOp)
  POPSNN_PATTERN(Expm1GradOp)
  POPSNN_PATTERN(Log1pGradOp)
  POPSNN_PATTERN(LogGradOp)
  POPSNN_PATTERN(NegativeOneScale)
  POPSNN_PATTERN(MatMulOp)
  POPSNN_PATTERN(MatMulLhsGradOp)
  POPSNN_PATTERN(MatMulRhsGradOp)
  POPSNN_PATTERN(RandomNormalLikeOpPattern)
  POPSNN_PATTERN(RandomUniformLikeOpPattern)
  POPSNN_PATTERN(ZerosLikeOpPattern)
  POPSNN_PATTERN(DecomposeBinaryConstScalar)
  POPSNN_PATTERN(FmodArg0GradOp)
  POPSNN_PATTERN(LambSerialisedWeight)
  POPSNN_PATTERN(TiedGather)
  POPSNN_PATTERN(TiedGatherAccumulate)
  POPSNN_PATTERN(RuntimeAsserts)
#undef POPSNN_PATTERN

  const std::map<std::string, bool>& getSettings() const { return settings_; }

 private:
  PatternsLevel level_ = PatternsLevel::Default;
  std::map<std::string, bool> settings_;
};

}  // namespace popart

#endif  // popart_patterns_patterns_hpp
