#ifndef popart_compoundscalarhelper_hpp
#define popart_compoundscalarhelper_hpp

#include <popart/debugcontext.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/optimizervalue.hpp>
#include <string>

namespace popart {

class Tensor;
class SGD;
class Adam;
class Adaptive;

/// A number of an optimizer that is made of others, by weight.
template <class T>
class CompoundScalarHelper {
 public:
  CompoundScalarHelper() = default;
  virtual ~CompoundScalarHelper() = default;
  OptimizerValue getFromWeightId(const TensorId&, const T&) const { absent("getFromWeightId"); }
  OptimizerValue getFromScalarId(const TensorId&, const T&) const { absent("getFromScalarId"); }
  TensorId getScalarId(const Tensor&, const T&) const { absent("getScalarId"); }
  TensorId getScalarIdIfNonConst(const Tensor&, const T&) const { absent("getScalarIdIfNonConst"); }
  TensorId getWeightId(const TensorId&) const { absent("getWeightId"); }
  bool idMatch(const TensorId&) const { absent("idMatch"); }
  virtual float val(const TensorId&, const T&) const { absent("val"); }
  virtual bool isConst(const TensorId&, const T&) const { absent("isConst"); }

 private:
  [[noreturn]] static void absent(const char* method) {
    emulator::missing((std::string("popart::CompoundScalarHelper::") + method).c_str());
  }
};

class WeightDecayScaleFactor0Helper : public CompoundScalarHelper<SGD> {};
class ScaledLearningRate0Helper : public CompoundScalarHelper<SGD> {};
class ScaledWeightDecay1Helper : public CompoundScalarHelper<SGD> {};
class ScaledLearningRate1Helper : public CompoundScalarHelper<SGD> {};
class DampeningScaleFactor1Helper : public CompoundScalarHelper<SGD> {};
class ScaledMomentum1Helper : public CompoundScalarHelper<SGD> {};
class ScaledLearningRate2Helper : public CompoundScalarHelper<SGD> {};
class DampeningScaleFactor2Helper : public CompoundScalarHelper<SGD> {};
class ScaledMomentum2Helper : public CompoundScalarHelper<SGD> {};
class SGDWeightDecayHelper : public CompoundScalarHelper<SGD> {};
class SGDMomentumHelper : public CompoundScalarHelper<SGD> {};
class NesterovGradScaleFactor1Helper : public CompoundScalarHelper<SGD> {};
class NesterovGradScaleFactor2Helper : public CompoundScalarHelper<SGD> {};
class NesterovDampeningScaleFactor1Helper : public CompoundScalarHelper<SGD> {};
class NesterovDampeningScaleFactor2Helper : public CompoundScalarHelper<SGD> {};
class AdamBeta1Helper : public CompoundScalarHelper<Adam> {};
class AdamBeta2Helper : public CompoundScalarHelper<Adam> {};
class AdamLearningRateHelper : public CompoundScalarHelper<Adam> {};
class AdamWeightDecayHelper : public CompoundScalarHelper<Adam> {};
class AdamEpsHelper : public CompoundScalarHelper<Adam> {};
class AdamLossScalingHelper : public CompoundScalarHelper<Adam> {};
class AdamMaxWeightNormHelper : public CompoundScalarHelper<Adam> {};
class AdamGradientScalingHelper : public CompoundScalarHelper<Adam> {};
class AdaptiveAlphaHelper : public CompoundScalarHelper<Adaptive> {};
class AdaptiveMomentumHelper : public CompoundScalarHelper<Adaptive> {};
class AdaptiveLearningRateHelper : public CompoundScalarHelper<Adaptive> {};
class AdaptiveWeightDecayHelper : public CompoundScalarHelper<Adaptive> {};
class AdaptiveEpsHelper : public CompoundScalarHelper<Adaptive> {};
class AdaptiveLossScalingHelper : public CompoundScalarHelper<Adaptive> {};
class AdaptiveMaxWeightNormHelper : public CompoundScalarHelper<Adaptive> {};
class AdaptiveGradientScalingHelper : public CompoundScalarHelper<Adaptive> {};

}  // namespace popart

#endif  // popart_compoundscalarhelper_hpp
