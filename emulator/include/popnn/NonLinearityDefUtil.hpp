#ifndef popnn_NonLinearityDefUtil_hpp
#define popnn_NonLinearityDefUtil_hpp

#include <istream>
#include <ostream>
#include <popnn/NonLinearityDef.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace popnn {

inline const char* asString(const NonLinearityType& type) {
  switch (type) {
    case NonLinearityType::SIGMOID:
      return "sigmoid";
    case NonLinearityType::HARD_SIGMOID:
      return "hard sigmoid";
    case NonLinearityType::RELU:
      return "relu";
    case NonLinearityType::TANH:
      return "tanh";
    case NonLinearityType::GELU:
      return "gelu";
    case NonLinearityType::GELU_ERF:
      return "gelu_erf";
    case NonLinearityType::SWISH:
      return "swish";
    case NonLinearityType::SOFTMAX:
      return "softmax";
    case NonLinearityType::SOFTMAX_STABLE:
      return "softmax (stable)";
    case NonLinearityType::SOFTMAX_SCALED:
      return "softmax (scaled, stable)";
  }
  throw poputil::poplibs_error("asString: expected a non-linearity, got a number that is none");
}

inline std::ostream& operator<<(std::ostream& os, const NonLinearityType& type) {
  return os << asString(type);
}

/// Takes one word of sigmoid, hard_sigmoid, relu, tanh, gelu, gelu_erf, swish, softmax,
/// softmax_stable and softmax_scaled.
inline std::istream& operator>>(std::istream& in, NonLinearityType& type) {
  static const char* const kWords[] = {"sigmoid",        "hard_sigmoid",  "relu",  "tanh",
                                       "gelu",           "gelu_erf",      "swish", "softmax",
                                       "softmax_stable", "softmax_scaled"};
  std::string word;
  in >> word;
  for (int i = 0; i < 10; ++i) {
    if (word == kWords[i]) {
      type = static_cast<NonLinearityType>(i);
      return in;
    }
  }
  throw poputil::poplibs_error("Unsupported non-linearity type '" + word + "'");
}

}  // namespace popnn

namespace poputil {

template <>
struct VertexTemplateToString<popnn::NonLinearityType> {
  static std::string to_string(const popnn::NonLinearityType& type) {
    switch (type) {
      case popnn::NonLinearityType::SIGMOID:
        return "popnn::NonLinearityType::SIGMOID";
      case popnn::NonLinearityType::HARD_SIGMOID:
        return "popnn::NonLinearityType::HARD_SIGMOID";
      case popnn::NonLinearityType::RELU:
        return "popnn::NonLinearityType::RELU";
      case popnn::NonLinearityType::TANH:
        return "popnn::NonLinearityType::TANH";
      case popnn::NonLinearityType::GELU:
        return "popnn::NonLinearityType::GELU";
      case popnn::NonLinearityType::GELU_ERF:
        return "popnn::NonLinearityType::GELU_ERF";
      case popnn::NonLinearityType::SWISH:
        return "popnn::NonLinearityType::SWISH";
      default:
        throw poplibs_error("templateVertex: expected another non-linearity than a softmax");
    }
  }
};

}  // namespace poputil

#endif  // popnn_NonLinearityDefUtil_hpp
