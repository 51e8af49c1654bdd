// The methods of opset 7 of ONNX; popart/builder.gen.hpp includes this.
#ifndef popart_emulator_onnxbuilder7_hpp
#define popart_emulator_onnxbuilder7_hpp

#include <popart/emulator/onnxbuilder6.hpp>

namespace popart {

class AiOnnxOpset7 : protected AiOnnxOpset6 {
 public:
  explicit AiOnnxOpset7(Builder& builder) : AiOnnxOpset6(builder) {}
  int getOpsetVersion() const override { return 7; }

  using AiOnnxOpset6::abs;
  using AiOnnxOpset6::argmax;
  using AiOnnxOpset6::argmin;
  using AiOnnxOpset6::cast;
  using AiOnnxOpset6::ceil;
  using AiOnnxOpset6::clip;
  using AiOnnxOpset6::concat;
  using AiOnnxOpset6::constant;
  using AiOnnxOpset6::conv;
  using AiOnnxOpset6::convtranspose;
  using AiOnnxOpset6::depthtospace;
  using AiOnnxOpset6::elu;
  using AiOnnxOpset6::exp;
  using AiOnnxOpset6::flatten;
  using AiOnnxOpset6::floor;
  using AiOnnxOpset6::gather;
  using AiOnnxOpset6::globalaveragepool;
  using AiOnnxOpset6::globallppool;
  using AiOnnxOpset6::globalmaxpool;
  using AiOnnxOpset6::hardmax;
  using AiOnnxOpset6::hardsigmoid;
  using AiOnnxOpset6::identity;
  using AiOnnxOpset6::instancenormalization;
  using AiOnnxOpset6::leakyrelu;
  using AiOnnxOpset6::log;
  using AiOnnxOpset6::logical_if;
  using AiOnnxOpset6::logical_not;
  using AiOnnxOpset6::logsoftmax;
  using AiOnnxOpset6::loop;
  using AiOnnxOpset6::lpnormalization;
  using AiOnnxOpset6::lppool;
  using AiOnnxOpset6::lrn;
  using AiOnnxOpset6::matmul;
  using AiOnnxOpset6::max;
  using AiOnnxOpset6::maxpool;
  using AiOnnxOpset6::maxroipool;
  using AiOnnxOpset6::mean;
  using AiOnnxOpset6::min;
  using AiOnnxOpset6::neg;
  using AiOnnxOpset6::pad;
  using AiOnnxOpset6::randomnormal;
  using AiOnnxOpset6::randomnormallike;
  using AiOnnxOpset6::randomuniform;
  using AiOnnxOpset6::randomuniformlike;
  using AiOnnxOpset6::reciprocal;
  using AiOnnxOpset6::reducel1;
  using AiOnnxOpset6::reducel2;
  using AiOnnxOpset6::reducelogsum;
  using AiOnnxOpset6::reducelogsumexp;
  using AiOnnxOpset6::reducemax;
  using AiOnnxOpset6::reducemean;
  using AiOnnxOpset6::reducemin;
  using AiOnnxOpset6::reduceprod;
  using AiOnnxOpset6::reducesum;
  using AiOnnxOpset6::reducesumsquare;
  using AiOnnxOpset6::relu;
  using AiOnnxOpset6::reshape;
  using AiOnnxOpset6::selu;
  using AiOnnxOpset6::shape;
  using AiOnnxOpset6::sigmoid;
  using AiOnnxOpset6::size;
  using AiOnnxOpset6::slice;
  using AiOnnxOpset6::softmax;
  using AiOnnxOpset6::softplus;
  using AiOnnxOpset6::softsign;
  using AiOnnxOpset6::spacetodepth;
  using AiOnnxOpset6::split;
  using AiOnnxOpset6::sqrt;
  using AiOnnxOpset6::squeeze;
  using AiOnnxOpset6::sum;
  using AiOnnxOpset6::tanh;
  using AiOnnxOpset6::tile;
  using AiOnnxOpset6::topk;
  using AiOnnxOpset6::transpose;
  using AiOnnxOpset6::unsqueeze;

  TensorId acos(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId add(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId logical_and(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId asin(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId atan(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId averagepool(const std::vector<TensorId>& args,
                       const std::vector<std::int64_t>& kernel_shape,
                       std::int64_t count_include_pad = 0,
                       const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                       const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                       const DebugContext& debugContext = {});
  std::vector<TensorId> batchnormalization(const std::vector<TensorId>& args, unsigned num_outputs,
                                           float epsilon = 1e-05f, float momentum = 0.9f,
                                           std::int64_t spatial = 1,
                                           const DebugContext& debugContext = {});
  TensorId cos(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId div(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> dropout(const std::vector<TensorId>& args, unsigned num_outputs,
                                float ratio = 0.5f, const DebugContext& debugContext = {});
  TensorId equal(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> gru(
      const std::vector<TensorId>& args, unsigned num_outputs,
      const std::vector<float>& activation_alpha = std::vector<float>(),
      const std::vector<float>& activation_beta = std::vector<float>(),
      const std::vector<std::string>& activations = std::vector<std::string>(),
      nonstd::optional<float> clip = nonstd::optional<float>(),
      const std::string& direction = "forward",
      nonstd::optional<std::int64_t> hidden_size = nonstd::optional<std::int64_t>(),
      std::int64_t linear_before_reset = 0, const DebugContext& debugContext = {});
  TensorId gemm(const std::vector<TensorId>& args, float alpha = 1.0f, float beta = 1.0f,
                std::int64_t transA = 0, std::int64_t transB = 0,
                const DebugContext& debugContext = {});
  TensorId greater(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> lstm(
      const std::vector<TensorId>& args, unsigned num_outputs,
      const std::vector<float>& activation_alpha = std::vector<float>(),
      const std::vector<float>& activation_beta = std::vector<float>(),
      const std::vector<std::string>& activations = std::vector<std::string>(),
      nonstd::optional<float> clip = nonstd::optional<float>(),
      const std::string& direction = "forward",
      nonstd::optional<std::int64_t> hidden_size = nonstd::optional<std::int64_t>(),
      std::int64_t input_forget = 0, const DebugContext& debugContext = {});
  TensorId less(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId mul(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId multinomial(const std::vector<TensorId>& args, std::int64_t dtype = 6,
                       std::int64_t sample_size = 1,
                       nonstd::optional<float> seed = nonstd::optional<float>(),
                       const DebugContext& debugContext = {});
  TensorId logical_or(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId prelu(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId pow(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> rnn(
      const std::vector<TensorId>& args, unsigned num_outputs,
      const std::vector<float>& activation_alpha = std::vector<float>(),
      const std::vector<float>& activation_beta = std::vector<float>(),
      const std::vector<std::string>& activations = std::vector<std::string>(),
      nonstd::optional<float> clip = nonstd::optional<float>(),
      const std::string& direction = "forward",
      nonstd::optional<std::int64_t> hidden_size = nonstd::optional<std::int64_t>(),
      const DebugContext& debugContext = {});
  TensorId sin(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId sub(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId tan(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId upsample(const std::vector<TensorId>& args, const std::vector<float>& scales,
                    const std::string& mode = "nearest", const DebugContext& debugContext = {});
  TensorId logical_xor(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
};

}  // namespace popart

#endif  // popart_emulator_onnxbuilder7_hpp
