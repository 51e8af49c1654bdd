#ifndef popfloat_experimental_GfloatExpr_hpp
#define popfloat_experimental_GfloatExpr_hpp

namespace popfloat {
namespace experimental {

/// How a number between two of the format's is rounded.
enum class RoundType {
  INV,  ///< none chosen
  RZ,   ///< to zero
  RN,   ///< to nearest, ties to even
  RA,   ///< to nearest, ties away from zero
  RU,   ///< up
  RD,   ///< down
  SR,   ///< stochastically, with as many random bits as are cut off
  SX    ///< stochastically, with fewer random bits or noise of another density
};

enum class FormatType {
  INVALID_FORMAT,
  IEEE_FP16,
  QUANTISED_FP32,      ///< kept as float
  QUANTISED_FP16,      ///< kept as half
  MIN_NORM_ALIGN_GF8,  ///< 8 bits or fewer, fewer than 5 of them exponent
  ONE_FIVE_TWO_GF8,    ///< 1/5/2 with infinities and NaNs
  MAX_NORM_ALIGN_GF8,  ///< 1/5/2 without
  BFLOAT16,            ///< 8 bits of exponent
  NO_DENORM_GF16,
  ENABLE_DENORM_GF16
};

/// Density of the noise of RoundType::SX.
enum class SRDensityType {
  INVALID,
  UNIFORM,
  NORMAL,
  TRUNCATED_NORMAL,
  BERNOULLI,
  LOGISTIC,
  TRUNCATED_LOGISTIC,
  LAPLACE,
  TRUNCATED_LAPLACE,
  LOGIT_NORMAL,
  TRUNCATED_LOGIT_NORMAL
};

/// A type to calculate with or to store as; AUTO: what the format needs.
enum class SpecType { FP32, BF16, FP16, INT8, INT16, INT32, AUTO };

}  // namespace experimental
}  // namespace popfloat

#endif  // popfloat_experimental_GfloatExpr_hpp
