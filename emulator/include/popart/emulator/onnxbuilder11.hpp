// The methods of opset 11 of ONNX; popart/builder.gen.hpp includes this.
#ifndef popart_emulator_onnxbuilder11_hpp
#define popart_emulator_onnxbuilder11_hpp

#include <popart/emulator/onnxbuilder10.hpp>

namespace popart {

class AiOnnxOpset11 : protected AiOnnxOpset10 {
 public:
  explicit AiOnnxOpset11(Builder& builder) : AiOnnxOpset10(builder) {}
  int getOpsetVersion() const override { return 11; }

  using AiOnnxOpset10::abs;
  using AiOnnxOpset10::acos;
  using AiOnnxOpset10::acosh;
  using AiOnnxOpset10::add;
  using AiOnnxOpset10::asin;
  using AiOnnxOpset10::asinh;
  using AiOnnxOpset10::atan;
  using AiOnnxOpset10::atanh;
  using AiOnnxOpset10::batchnormalization;
  using AiOnnxOpset10::cast;
  using AiOnnxOpset10::ceil;
  using AiOnnxOpset10::constantofshape;
  using AiOnnxOpset10::convinteger;
  using AiOnnxOpset10::cos;
  using AiOnnxOpset10::cosh;
  using AiOnnxOpset10::dequantizelinear;
  using AiOnnxOpset10::div;
  using AiOnnxOpset10::dropout;
  using AiOnnxOpset10::elu;
  using AiOnnxOpset10::erf;
  using AiOnnxOpset10::exp;
  using AiOnnxOpset10::expand;
  using AiOnnxOpset10::eyelike;
  using AiOnnxOpset10::floor;
  using AiOnnxOpset10::globalaveragepool;
  using AiOnnxOpset10::globallppool;
  using AiOnnxOpset10::globalmaxpool;
  using AiOnnxOpset10::greater;
  using AiOnnxOpset10::gru;
  using AiOnnxOpset10::hardsigmoid;
  using AiOnnxOpset10::identity;
  using AiOnnxOpset10::instancenormalization;
  using AiOnnxOpset10::isinf;
  using AiOnnxOpset10::isnan;
  using AiOnnxOpset10::leakyrelu;
  using AiOnnxOpset10::less;
  using AiOnnxOpset10::log;
  using AiOnnxOpset10::logical_and;
  using AiOnnxOpset10::logical_not;
  using AiOnnxOpset10::logical_or;
  using AiOnnxOpset10::logical_xor;
  using AiOnnxOpset10::lpnormalization;
  using AiOnnxOpset10::lrn;
  using AiOnnxOpset10::lstm;
  using AiOnnxOpset10::matmul;
  using AiOnnxOpset10::matmulinteger;
  using AiOnnxOpset10::max;
  using AiOnnxOpset10::maxroipool;
  using AiOnnxOpset10::mean;
  using AiOnnxOpset10::meanvariancenormalization;
  using AiOnnxOpset10::min;
  using AiOnnxOpset10::mod;
  using AiOnnxOpset10::mul;
  using AiOnnxOpset10::multinomial;
  using AiOnnxOpset10::neg;
  using AiOnnxOpset10::nonzero;
  using AiOnnxOpset10::pow;
  using AiOnnxOpset10::prelu;
  using AiOnnxOpset10::qlinearconv;
  using AiOnnxOpset10::qlinearmatmul;
  using AiOnnxOpset10::quantizelinear;
  using AiOnnxOpset10::randomnormal;
  using AiOnnxOpset10::randomnormallike;
  using AiOnnxOpset10::randomuniform;
  using AiOnnxOpset10::randomuniformlike;
  using AiOnnxOpset10::reciprocal;
  using AiOnnxOpset10::relu;
  using AiOnnxOpset10::reshape;
  using AiOnnxOpset10::reversesequence;
  using AiOnnxOpset10::rnn;
  using AiOnnxOpset10::roialign;
  using AiOnnxOpset10::selu;
  using AiOnnxOpset10::shape;
  using AiOnnxOpset10::shrink;
  using AiOnnxOpset10::sigmoid;
  using AiOnnxOpset10::sign;
  using AiOnnxOpset10::sin;
  using AiOnnxOpset10::sinh;
  using AiOnnxOpset10::size;
  using AiOnnxOpset10::softplus;
  using AiOnnxOpset10::softsign;
  using AiOnnxOpset10::spacetodepth;
  using AiOnnxOpset10::sqrt;
  using AiOnnxOpset10::stringnormalizer;
  using AiOnnxOpset10::sub;
  using AiOnnxOpset10::sum;
  using AiOnnxOpset10::tan;
  using AiOnnxOpset10::tanh;
  using AiOnnxOpset10::tfidfvectorizer;
  using AiOnnxOpset10::thresholdedrelu;
  using AiOnnxOpset10::tile;
  using AiOnnxOpset10::transpose;
  using AiOnnxOpset10::upsample;
  using AiOnnxOpset10::where;

  TensorId argmax(const std::vector<TensorId>& args, std::int64_t axis = 0,
                  std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId argmin(const std::vector<TensorId>& args, std::int64_t axis = 0,
                  std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId averagepool(const std::vector<TensorId>& args,
                       const std::vector<std::int64_t>& kernel_shape, std::int64_t ceil_mode = 0,
                       std::int64_t count_include_pad = 0,
                       const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                       const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                       const DebugContext& debugContext = {});
  TensorId bitshift(const std::vector<TensorId>& args, const std::string& direction,
                    const DebugContext& debugContext = {});
  TensorId clip(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId compress(const std::vector<TensorId>& args,
                    nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
                    const DebugContext& debugContext = {});
  TensorId concat(const std::vector<TensorId>& args, std::int64_t axis,
                  const DebugContext& debugContext = {});
  TensorId concatfromsequence(const std::vector<TensorId>& args, std::int64_t axis,
                              std::int64_t new_axis = 0, const DebugContext& debugContext = {});
  TensorId constant(const ConstVoidData& value, bool is_value_sparse = false,
                    const DebugContext& debugContext = {});
  TensorId conv(const std::vector<TensorId>& args,
                const std::vector<std::int64_t>& dilations = std::vector<std::int64_t>(),
                std::int64_t group = 1,
                const std::vector<std::int64_t>& kernel_shape = std::vector<std::int64_t>(),
                const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                const DebugContext& debugContext = {});
  TensorId convtranspose(
      const std::vector<TensorId>& args,
      const std::vector<std::int64_t>& dilations = std::vector<std::int64_t>(),
      std::int64_t group = 1,
      const std::vector<std::int64_t>& kernel_shape = std::vector<std::int64_t>(),
      const std::vector<std::int64_t>& output_padding = std::vector<std::int64_t>(),
      const std::vector<std::int64_t>& output_shape = std::vector<std::int64_t>(),
      const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
      const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
      const DebugContext& debugContext = {});
  TensorId cumsum(const std::vector<TensorId>& args, std::int64_t exclusive = 0,
                  std::int64_t reverse = 0, const DebugContext& debugContext = {});
  TensorId depthtospace(const std::vector<TensorId>& args, std::int64_t blocksize,
                        const std::string& mode = "DCR", const DebugContext& debugContext = {});
  TensorId det(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> dynamicquantizelinear(const std::vector<TensorId>& args,
                                              const DebugContext& debugContext = {});
  TensorId equal(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId flatten(const std::vector<TensorId>& args, std::int64_t axis = 1,
                   const DebugContext& debugContext = {});
  TensorId gather(const std::vector<TensorId>& args, std::int64_t axis = 0,
                  const DebugContext& debugContext = {});
  TensorId gatherelements(const std::vector<TensorId>& args, std::int64_t axis = 0,
                          const DebugContext& debugContext = {});
  TensorId gathernd(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId gemm(const std::vector<TensorId>& args, float alpha = 1.0f, float beta = 1.0f,
                std::int64_t transA = 0, std::int64_t transB = 0,
                const DebugContext& debugContext = {});
  TensorId hardmax(const std::vector<TensorId>& args, std::int64_t axis = 1,
                   const DebugContext& debugContext = {});
  std::vector<TensorId> logical_if(const std::vector<TensorId>& args, unsigned num_outputs,
                                   const Builder& else_branch, const Builder& then_branch,
                                   const DebugContext& debugContext = {});
  TensorId logsoftmax(const std::vector<TensorId>& args, std::int64_t axis = 1,
                      const DebugContext& debugContext = {});
  std::vector<TensorId> loop(const std::vector<TensorId>& args, unsigned num_outputs,
                             const Builder& body, const DebugContext& debugContext = {});
  TensorId lppool(const std::vector<TensorId>& args, const std::vector<std::int64_t>& kernel_shape,
                  std::int64_t p = 2,
                  const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                  const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                  const DebugContext& debugContext = {});
  std::vector<TensorId> maxpool(
      const std::vector<TensorId>& args, unsigned num_outputs,
      const std::vector<std::int64_t>& kernel_shape, std::int64_t ceil_mode = 0,
      const std::vector<std::int64_t>& dilations = std::vector<std::int64_t>(),
      const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
      std::int64_t storage_order = 0,
      const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
      const DebugContext& debugContext = {});
  TensorId maxunpool(const std::vector<TensorId>& args,
                     const std::vector<std::int64_t>& kernel_shape,
                     const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                     const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                     const DebugContext& debugContext = {});
  TensorId nonmaxsuppression(const std::vector<TensorId>& args, std::int64_t center_point_box = 0,
                             const DebugContext& debugContext = {});
  TensorId onehot(const std::vector<TensorId>& args, std::int64_t axis = -1,
                  const DebugContext& debugContext = {});
  TensorId pad(const std::vector<TensorId>& args, const std::string& mode = "constant",
               const DebugContext& debugContext = {});
  TensorId range(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId reducel1(const std::vector<TensorId>& args,
                    nonstd::optional<std::vector<std::int64_t>> axes =
                        nonstd::optional<std::vector<std::int64_t>>(),
                    std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId reducel2(const std::vector<TensorId>& args,
                    nonstd::optional<std::vector<std::int64_t>> axes =
                        nonstd::optional<std::vector<std::int64_t>>(),
                    std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId reducelogsum(const std::vector<TensorId>& args,
                        nonstd::optional<std::vector<std::int64_t>> axes =
                            nonstd::optional<std::vector<std::int64_t>>(),
                        std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId reducelogsumexp(const std::vector<TensorId>& args,
                           nonstd::optional<std::vector<std::int64_t>> axes =
                               nonstd::optional<std::vector<std::int64_t>>(),
                           std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId reducemax(const std::vector<TensorId>& args,
                     nonstd::optional<std::vector<std::int64_t>> axes =
                         nonstd::optional<std::vector<std::int64_t>>(),
                     std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId reducemean(const std::vector<TensorId>& args,
                      nonstd::optional<std::vector<std::int64_t>> axes =
                          nonstd::optional<std::vector<std::int64_t>>(),
                      std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId reducemin(const std::vector<TensorId>& args,
                     nonstd::optional<std::vector<std::int64_t>> axes =
                         nonstd::optional<std::vector<std::int64_t>>(),
                     std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId reduceprod(const std::vector<TensorId>& args,
                      nonstd::optional<std::vector<std::int64_t>> axes =
                          nonstd::optional<std::vector<std::int64_t>>(),
                      std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId reducesum(const std::vector<TensorId>& args,
                     nonstd::optional<std::vector<std::int64_t>> axes =
                         nonstd::optional<std::vector<std::int64_t>>(),
                     std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId reducesumsquare(const std::vector<TensorId>& args,
                           nonstd::optional<std::vector<std::int64_t>> axes =
                               nonstd::optional<std::vector<std::int64_t>>(),
                           std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId resize(const std::vector<TensorId>& args,
                  const std::string& coordinate_transformation_mode = "half_pixel",
                  float cubic_coeff_a = -0.75f, std::int64_t exclude_outside = 0,
                  float extrapolation_value = 0.0f, const std::string& mode = "nearest",
                  const std::string& nearest_mode = "round_prefer_floor",
                  const DebugContext& debugContext = {});
  TensorId round(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> scan(
      const std::vector<TensorId>& args, unsigned num_outputs, const Builder& body,
      std::int64_t num_scan_inputs,
      const std::vector<std::int64_t>& scan_input_axes = std::vector<std::int64_t>(),
      const std::vector<std::int64_t>& scan_input_directions = std::vector<std::int64_t>(),
      const std::vector<std::int64_t>& scan_output_axes = std::vector<std::int64_t>(),
      const std::vector<std::int64_t>& scan_output_directions = std::vector<std::int64_t>(),
      const DebugContext& debugContext = {});
  TensorId scatter(const std::vector<TensorId>& args, std::int64_t axis = 0,
                   const DebugContext& debugContext = {});
  TensorId scatterelements(const std::vector<TensorId>& args, std::int64_t axis = 0,
                           const DebugContext& debugContext = {});
  TensorId scatternd(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId sequenceat(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId sequenceconstruct(const std::vector<TensorId>& args,
                             const DebugContext& debugContext = {});
  TensorId sequenceempty(nonstd::optional<std::int64_t> dtype = nonstd::optional<std::int64_t>(),
                         const DebugContext& debugContext = {});
  TensorId sequenceerase(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId sequenceinsert(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId sequencelength(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId slice(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId softmax(const std::vector<TensorId>& args, std::int64_t axis = 1,
                   const DebugContext& debugContext = {});
  std::vector<TensorId> split(const std::vector<TensorId>& args, unsigned num_outputs,
                              std::int64_t axis = 0,
                              const std::vector<std::int64_t>& split = std::vector<std::int64_t>(),
                              const DebugContext& debugContext = {});
  TensorId splittosequence(const std::vector<TensorId>& args, std::int64_t axis = 0,
                           std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId squeeze(const std::vector<TensorId>& args,
                   const std::vector<std::int64_t>& axes = std::vector<std::int64_t>(),
                   const DebugContext& debugContext = {});
  std::vector<TensorId> topk(const std::vector<TensorId>& args, std::int64_t axis = -1,
                             std::int64_t largest = 1, std::int64_t sorted = 1,
                             const DebugContext& debugContext = {});
  std::vector<TensorId> unique(
      const std::vector<TensorId>& args, unsigned num_outputs,
      nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
      std::int64_t sorted = 1, const DebugContext& debugContext = {});
  TensorId unsqueeze(const std::vector<TensorId>& args, const std::vector<std::int64_t>& axes,
                     const DebugContext& debugContext = {});
};

}  // namespace popart

#endif  // popart_emulator_onnxbuilder11_hpp
