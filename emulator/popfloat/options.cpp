#include <popfloat/experimental/CastToGfloat.hpp>
#include <poputil/OptionParsing.hpp>

namespace popfloat {
namespace experimental {

using poplibs::OptionHandler;
using poplibs::OptionSpec;

namespace {

// The enumerators first, ..., last by their names.
template <class Enum>
std::map<std::string, Enum> byName(Enum last, std::string (*name)(Enum)) {
  std::map<std::string, Enum> out;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    out.emplace(name(static_cast<Enum>(i)), static_cast<Enum>(i));
  }
  return out;
}

void parse(const OptionSpec& spec, const poplar::OptionFlags& options) {
  for (const auto& option : options) spec.parse(option.first, option.second);
}

}  // namespace

void GfloatCast::GfloatFormatOptions::parseGfloatFormatOptions(const poplar::OptionFlags& options) {
  parse({{"numMantissaBits", OptionHandler::createWithInteger(numMantissaBits)},
         {"numExponentBits", OptionHandler::createWithInteger(numExponentBits)},
         {"numExponentBias", OptionHandler::createWithInteger(numExponentBias)},
         {"enableDenorms", OptionHandler::createWithBool(enableDenorms)},
         {"enableInfsAndNans", OptionHandler::createWithBool(enableInfsAndNans)}},
        options);
}

void GfloatCast::GfloatCastOptions::parseGfloatCastOptions(const poplar::OptionFlags& options) {
  parse({{"roundMode",
          OptionHandler::createWithEnum(roundMode, byName(RoundType::SX, roundTypeToString))},
         {"numSRBits", OptionHandler::createWithInteger(numSRBits)},
         {"srNoiseDensity", OptionHandler::createWithEnum(
                                srNoiseDensity, byName(SRDensityType::TRUNCATED_LOGIT_NORMAL,
                                                       srDensityTypeToString))},
         {"srNoiseOffset", OptionHandler::createWithDouble(srNoiseOffset)},
         {"srNoiseScale", OptionHandler::createWithDouble(srNoiseScale)},
         {"srNoiseMax", OptionHandler::createWithDouble(srNoiseMax)},
         {"srNoiseMin", OptionHandler::createWithDouble(srNoiseMin)},
         {"bernoulliProb", OptionHandler::createWithDouble(bernoulliProb)},
         {"enableNanooMode", OptionHandler::createWithBool(enableNanooMode)}},
        options);
}

}  // namespace experimental
}  // namespace popfloat
