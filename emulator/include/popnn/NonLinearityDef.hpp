#ifndef popnn_NonLinearityDef_hpp
#define popnn_NonLinearityDef_hpp

namespace popnn {

enum class NonLinearityType {
  SIGMOID,
  HARD_SIGMOID,
  RELU,
  TANH,
  GELU,      // by tanh
  GELU_ERF,  // by erf
  SWISH,
  SOFTMAX,
  SOFTMAX_STABLE,
  SOFTMAX_SCALED  // the softmax times a scale, to use the range of half
};

}  // namespace popnn

#endif  // popnn_NonLinearityDef_hpp
