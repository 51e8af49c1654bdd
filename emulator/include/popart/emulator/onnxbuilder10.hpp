// The methods of opset 10 of ONNX; popart/builder.gen.hpp includes this.
#ifndef popart_emulator_onnxbuilder10_hpp
#define popart_emulator_onnxbuilder10_hpp

#include <popart/emulator/onnxbuilder9.hpp>

namespace popart {

class AiOnnxOpset10 : protected AiOnnxOpset9 {
 public:
  explicit AiOnnxOpset10(Builder& builder) : AiOnnxOpset9(builder) {}
  int getOpsetVersion() const override { return 10; }

  using AiOnnxOpset9::abs;
  using AiOnnxOpset9::acos;
  using AiOnnxOpset9::acosh;
  using AiOnnxOpset9::add;
  using AiOnnxOpset9::argmax;
  using AiOnnxOpset9::argmin;
  using AiOnnxOpset9::asin;
  using AiOnnxOpset9::asinh;
  using AiOnnxOpset9::atan;
  using AiOnnxOpset9::atanh;
  using AiOnnxOpset9::batchnormalization;
  using AiOnnxOpset9::cast;
  using AiOnnxOpset9::ceil;
  using AiOnnxOpset9::clip;
  using AiOnnxOpset9::compress;
  using AiOnnxOpset9::concat;
  using AiOnnxOpset9::constant;
  using AiOnnxOpset9::constantofshape;
  using AiOnnxOpset9::conv;
  using AiOnnxOpset9::convtranspose;
  using AiOnnxOpset9::cos;
  using AiOnnxOpset9::cosh;
  using AiOnnxOpset9::depthtospace;
  using AiOnnxOpset9::div;
  using AiOnnxOpset9::elu;
  using AiOnnxOpset9::equal;
  using AiOnnxOpset9::erf;
  using AiOnnxOpset9::exp;
  using AiOnnxOpset9::expand;
  using AiOnnxOpset9::eyelike;
  using AiOnnxOpset9::flatten;
  using AiOnnxOpset9::floor;
  using AiOnnxOpset9::gather;
  using AiOnnxOpset9::gemm;
  using AiOnnxOpset9::globalaveragepool;
  using AiOnnxOpset9::globallppool;
  using AiOnnxOpset9::globalmaxpool;
  using AiOnnxOpset9::greater;
  using AiOnnxOpset9::gru;
  using AiOnnxOpset9::hardmax;
  using AiOnnxOpset9::hardsigmoid;
  using AiOnnxOpset9::identity;
  using AiOnnxOpset9::instancenormalization;
  using AiOnnxOpset9::isnan;
  using AiOnnxOpset9::leakyrelu;
  using AiOnnxOpset9::less;
  using AiOnnxOpset9::log;
  using AiOnnxOpset9::logical_and;
  using AiOnnxOpset9::logical_if;
  using AiOnnxOpset9::logical_not;
  using AiOnnxOpset9::logical_or;
  using AiOnnxOpset9::logical_xor;
  using AiOnnxOpset9::logsoftmax;
  using AiOnnxOpset9::loop;
  using AiOnnxOpset9::lpnormalization;
  using AiOnnxOpset9::lppool;
  using AiOnnxOpset9::lrn;
  using AiOnnxOpset9::lstm;
  using AiOnnxOpset9::matmul;
  using AiOnnxOpset9::max;
  using AiOnnxOpset9::maxroipool;
  using AiOnnxOpset9::maxunpool;
  using AiOnnxOpset9::mean;
  using AiOnnxOpset9::meanvariancenormalization;
  using AiOnnxOpset9::min;
  using AiOnnxOpset9::mul;
  using AiOnnxOpset9::multinomial;
  using AiOnnxOpset9::neg;
  using AiOnnxOpset9::nonzero;
  using AiOnnxOpset9::onehot;
  using AiOnnxOpset9::pad;
  using AiOnnxOpset9::pow;
  using AiOnnxOpset9::prelu;
  using AiOnnxOpset9::randomnormal;
  using AiOnnxOpset9::randomnormallike;
  using AiOnnxOpset9::randomuniform;
  using AiOnnxOpset9::randomuniformlike;
  using AiOnnxOpset9::reciprocal;
  using AiOnnxOpset9::reducel1;
  using AiOnnxOpset9::reducel2;
  using AiOnnxOpset9::reducelogsum;
  using AiOnnxOpset9::reducelogsumexp;
  using AiOnnxOpset9::reducemax;
  using AiOnnxOpset9::reducemean;
  using AiOnnxOpset9::reducemin;
  using AiOnnxOpset9::reduceprod;
  using AiOnnxOpset9::reducesum;
  using AiOnnxOpset9::reducesumsquare;
  using AiOnnxOpset9::relu;
  using AiOnnxOpset9::reshape;
  using AiOnnxOpset9::rnn;
  using AiOnnxOpset9::scan;
  using AiOnnxOpset9::scatter;
  using AiOnnxOpset9::selu;
  using AiOnnxOpset9::shape;
  using AiOnnxOpset9::shrink;
  using AiOnnxOpset9::sigmoid;
  using AiOnnxOpset9::sign;
  using AiOnnxOpset9::sin;
  using AiOnnxOpset9::sinh;
  using AiOnnxOpset9::size;
  using AiOnnxOpset9::softmax;
  using AiOnnxOpset9::softplus;
  using AiOnnxOpset9::softsign;
  using AiOnnxOpset9::spacetodepth;
  using AiOnnxOpset9::split;
  using AiOnnxOpset9::sqrt;
  using AiOnnxOpset9::squeeze;
  using AiOnnxOpset9::sub;
  using AiOnnxOpset9::sum;
  using AiOnnxOpset9::tan;
  using AiOnnxOpset9::tanh;
  using AiOnnxOpset9::tfidfvectorizer;
  using AiOnnxOpset9::tile;
  using AiOnnxOpset9::transpose;
  using AiOnnxOpset9::unsqueeze;
  using AiOnnxOpset9::where;

  TensorId averagepool(const std::vector<TensorId>& args,
                       const std::vector<std::int64_t>& kernel_shape, std::int64_t ceil_mode = 0,
                       std::int64_t count_include_pad = 0,
                       const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                       const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                       const DebugContext& debugContext = {});
  TensorId convinteger(const std::vector<TensorId>& args,
                       const std::vector<std::int64_t>& dilations = std::vector<std::int64_t>(),
                       std::int64_t group = 1,
                       const std::vector<std::int64_t>& kernel_shape = std::vector<std::int64_t>(),
                       const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                       const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                       const DebugContext& debugContext = {});
  TensorId dequantizelinear(const std::vector<TensorId>& args,
                            const DebugContext& debugContext = {});
  std::vector<TensorId> dropout(const std::vector<TensorId>& args, unsigned num_outputs,
                                float ratio = 0.5f, const DebugContext& debugContext = {});
  TensorId isinf(const std::vector<TensorId>& args, std::int64_t detect_negative = 1,
                 std::int64_t detect_positive = 1, const DebugContext& debugContext = {});
  TensorId matmulinteger(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> maxpool(
      const std::vector<TensorId>& args, unsigned num_outputs,
      const std::vector<std::int64_t>& kernel_shape, std::int64_t ceil_mode = 0,
      const std::vector<std::int64_t>& dilations = std::vector<std::int64_t>(),
      const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
      std::int64_t storage_order = 0,
      const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
      const DebugContext& debugContext = {});
  TensorId mod(const std::vector<TensorId>& args, std::int64_t fmod = 0,
               const DebugContext& debugContext = {});
  TensorId nonmaxsuppression(const std::vector<TensorId>& args, std::int64_t center_point_box = 0,
                             const DebugContext& debugContext = {});
  TensorId qlinearconv(const std::vector<TensorId>& args,
                       const std::vector<std::int64_t>& dilations = std::vector<std::int64_t>(),
                       std::int64_t group = 1,
                       const std::vector<std::int64_t>& kernel_shape = std::vector<std::int64_t>(),
                       const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                       const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                       const DebugContext& debugContext = {});
  TensorId qlinearmatmul(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId quantizelinear(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId resize(const std::vector<TensorId>& args, const std::string& mode = "nearest",
                  const DebugContext& debugContext = {});
  TensorId reversesequence(const std::vector<TensorId>& args, std::int64_t batch_axis = 1,
                           std::int64_t time_axis = 0, const DebugContext& debugContext = {});
  TensorId roialign(const std::vector<TensorId>& args, const std::string& mode = "avg",
                    std::int64_t output_height = 1, std::int64_t output_width = 1,
                    std::int64_t sampling_ratio = 0, float spatial_scale = 1.0f,
                    const DebugContext& debugContext = {});
  TensorId slice(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId stringnormalizer(const std::vector<TensorId>& args,
                            const std::string& case_change_action = "NONE",
                            std::int64_t is_case_sensitive = 0,
                            nonstd::optional<std::string> locale = std::string(),
                            const std::vector<std::string>& stopwords = std::vector<std::string>(),
                            const DebugContext& debugContext = {});
  TensorId thresholdedrelu(const std::vector<TensorId>& args, float alpha = 1.0f,
                           const DebugContext& debugContext = {});
  std::vector<TensorId> topk(const std::vector<TensorId>& args, std::int64_t axis = -1,
                             const DebugContext& debugContext = {});
  TensorId upsample(const std::vector<TensorId>& args, const std::string& mode = "nearest",
                    const DebugContext& debugContext = {});
};

}  // namespace popart

#endif  // popart_emulator_onnxbuilder10_hpp
