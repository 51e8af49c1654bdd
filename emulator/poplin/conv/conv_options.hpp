#pragma once
#include <poplar/OptionFlags.hpp>
#include <poplin/ConvParams.hpp>

namespace poplin {

struct ConvOptions {
  /// Throws poplar::invalid_option for an option or a value that convolutions do not have.
  explicit ConvOptions(const poplar::OptionFlags& options);

  poplar::Type partialsType = poplar::FLOAT;
  bool insertTransformsCycleCountProgs = false;
};

/// Throws poputil::poplibs_error where the parameters do not describe a convolution or have types
/// that are not computed with; `operation` begins the sentence.
void checkConvolution(const ConvParams& params, const poplar::OptionFlags& options,
                      const char* operation);

}  // namespace poplin
