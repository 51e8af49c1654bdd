#ifndef popart_tensornames_hpp
#define popart_tensornames_hpp

#include <popart/names.hpp>

namespace popart {

// Prefixes of the ids of tensors that PopART makes.
constexpr const char* reservedGradientPrefix() { return "Gradient___"; }
constexpr const char* reservedUpdatedVarPrefix() { return "UpdatedVar___"; }
constexpr const char* reservedRandomSeedPrefix() { return "randomSeed___"; }
constexpr const char* reservedAcclPrefix() { return "Accl___"; }
constexpr const char* reservedAccumPrefix() { return "Accum___"; }
constexpr const char* reservedConstValuePrefix() { return "ConstValue___"; }
constexpr const char* reservedDefaultLearningRatePrefix() { return "learningRate___default___"; }
constexpr const char* reservedDefaultLossScalingPrefix() { return "lossScaling___default___"; }
constexpr const char* cycleCountPrefix() { return "cycleCount___"; }

}  // namespace popart

#endif  // popart_tensornames_hpp
