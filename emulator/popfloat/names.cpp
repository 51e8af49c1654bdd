#include <iterator>
#include <popfloat/experimental/GfloatExprUtil.hpp>
#include <poputil/exceptions.hpp>

namespace popfloat {
namespace experimental {

namespace {

// The name of an enumerator of values 0, 1, ...
template <class Enum, std::size_t n>
std::string nameOf(Enum value, const char* const (&names)[n], const char* what) {
  const auto i = static_cast<std::size_t>(value);
  if (i < n) return names[i];
  throw poputil::poplibs_error(std::string(what) + ": expected one of " + std::to_string(n) +
                               " values, got " + std::to_string(i));
}

}  // namespace

std::string roundTypeToString(RoundType rmode) {
  static const char* const kNames[] = {"INV", "RZ", "RN", "RA", "RU", "RD", "SR", "SX"};
  return nameOf(rmode, kNames, "roundTypeToString");
}

std::string formatTypeToString(FormatType fmt) {
  static const char* const kNames[] = {
      "INVALID_FORMAT",     "IEEE_FP16",         "QUANTISED_FP32",     "QUANTISED_FP16",
      "MIN_NORM_ALIGN_GF8", "ONE_FIVE_TWO_GF8",  "MAX_NORM_ALIGN_GF8", "BFLOAT16",
      "NO_DENORM_GF16",     "ENABLE_DENORM_GF16"};
  return nameOf(fmt, kNames, "formatTypeToString");
}

std::string srDensityTypeToString(SRDensityType dist) {
  static const char* const kNames[] = {"INVALID",
                                       "UNIFORM",
                                       "NORMAL",
                                       "TRUNCATED_NORMAL",
                                       "BERNOULLI",
                                       "LOGISTIC",
                                       "TRUNCATED_LOGISTIC",
                                       "LAPLACE",
                                       "TRUNCATED_LAPLACE",
                                       "LOGIT_NORMAL",
                                       "TRUNCATED_LOGIT_NORMAL"};
  return nameOf(dist, kNames, "srDensityTypeToString");
}

std::string specTypeToString(SpecType specType) {
  static const char* const kNames[] = {"FP32", "BF16", "FP16", "INT8", "INT16", "INT32", "AUTO"};
  return nameOf(specType, kNames, "specTypeToString");
}

poplar::Type specTypeToPoplarType(SpecType specType) {
  switch (specType) {
    case SpecType::FP32:
    case SpecType::BF16:
      return poplar::FLOAT;
    case SpecType::FP16:
      return poplar::HALF;
    case SpecType::INT8:
      return poplar::SIGNED_CHAR;
    case SpecType::INT16:
      return poplar::SHORT;
    case SpecType::INT32:
      return poplar::INT;
    case SpecType::AUTO:
      break;
  }
  throw poputil::poplibs_error("specTypeToPoplarType: expected a type, got " +
                               specTypeToString(specType));
}

}  // namespace experimental
}  // namespace popfloat
