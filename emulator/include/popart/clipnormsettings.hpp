#ifndef popart_clipnormsettings_hpp
#define popart_clipnormsettings_hpp

#include <popart/names.hpp>
#include <string>
#include <vector>

namespace popart {

/// How gradients are clipped: those of some weights, or of all, by their common norm. Sessions of
/// the emulation clip none.
class ClipNormSettings {
 public:
  enum class Mode { ClipSpecifiedWeights, ClipAllWeights };

  ClipNormSettings(const std::vector<TensorId>& weights, float maxNorm_)
      : ClipNormSettings(weights, maxNorm_, Mode::ClipSpecifiedWeights) {}
  static ClipNormSettings clipWeights(const std::vector<TensorId>& weights, float maxNorm_) {
    return {weights, maxNorm_};
  }
  static ClipNormSettings clipAllWeights(float maxNorm_) {
    return {{}, maxNorm_, Mode::ClipAllWeights};
  }

  const std::vector<TensorId>& getWeightIds() const { return weightIds; }
  float getMaxNorm() const { return maxNorm; }
  Mode getMode() const { return mode_; }
  bool operator==(const ClipNormSettings& other) const {
    return weightIds == other.weightIds && maxNorm == other.maxNorm && mode_ == other.mode_;
  }
  bool operator!=(const ClipNormSettings& other) const { return !(*this == other); }

  std::vector<TensorId> weightIds;
  float maxNorm;

 private:
  ClipNormSettings(const std::vector<TensorId>& weights, float maxNorm_, Mode mode)
      : weightIds(weights), maxNorm(maxNorm_), mode_(mode) {}

  Mode mode_;
};

}  // namespace popart

#endif  // popart_clipnormsettings_hpp
