// Reads the JSON of convolution parameters: an object of numbers, strings, lists and objects.
#pragma once
#include <istream>
#include <poplar/ProfileValue.hpp>

namespace poplin {

/// Throws poputil::poplibs_error for text that is not JSON.
poplar::ProfileValue readJson(std::istream& in);

}  // namespace poplin
