// The methods of opset 9 of ONNX; popart/builder.gen.hpp includes this.
#ifndef popart_emulator_onnxbuilder9_hpp
#define popart_emulator_onnxbuilder9_hpp

#include <popart/emulator/onnxbuilder8.hpp>

namespace popart {

class AiOnnxOpset9 : protected AiOnnxOpset8 {
 public:
  explicit AiOnnxOpset9(Builder& builder) : AiOnnxOpset8(builder) {}
  int getOpsetVersion() const override { return 9; }

  using AiOnnxOpset8::abs;
  using AiOnnxOpset8::acos;
  using AiOnnxOpset8::add;
  using AiOnnxOpset8::argmax;
  using AiOnnxOpset8::argmin;
  using AiOnnxOpset8::asin;
  using AiOnnxOpset8::atan;
  using AiOnnxOpset8::averagepool;
  using AiOnnxOpset8::ceil;
  using AiOnnxOpset8::clip;
  using AiOnnxOpset8::concat;
  using AiOnnxOpset8::conv;
  using AiOnnxOpset8::convtranspose;
  using AiOnnxOpset8::cos;
  using AiOnnxOpset8::depthtospace;
  using AiOnnxOpset8::div;
  using AiOnnxOpset8::dropout;
  using AiOnnxOpset8::elu;
  using AiOnnxOpset8::equal;
  using AiOnnxOpset8::exp;
  using AiOnnxOpset8::expand;
  using AiOnnxOpset8::floor;
  using AiOnnxOpset8::gather;
  using AiOnnxOpset8::globalaveragepool;
  using AiOnnxOpset8::globallppool;
  using AiOnnxOpset8::globalmaxpool;
  using AiOnnxOpset8::gru;
  using AiOnnxOpset8::hardmax;
  using AiOnnxOpset8::hardsigmoid;
  using AiOnnxOpset8::identity;
  using AiOnnxOpset8::instancenormalization;
  using AiOnnxOpset8::leakyrelu;
  using AiOnnxOpset8::log;
  using AiOnnxOpset8::logical_and;
  using AiOnnxOpset8::logical_if;
  using AiOnnxOpset8::logical_not;
  using AiOnnxOpset8::logical_or;
  using AiOnnxOpset8::logical_xor;
  using AiOnnxOpset8::logsoftmax;
  using AiOnnxOpset8::loop;
  using AiOnnxOpset8::lpnormalization;
  using AiOnnxOpset8::lppool;
  using AiOnnxOpset8::lrn;
  using AiOnnxOpset8::lstm;
  using AiOnnxOpset8::max;
  using AiOnnxOpset8::maxpool;
  using AiOnnxOpset8::maxroipool;
  using AiOnnxOpset8::mean;
  using AiOnnxOpset8::min;
  using AiOnnxOpset8::mul;
  using AiOnnxOpset8::multinomial;
  using AiOnnxOpset8::neg;
  using AiOnnxOpset8::pad;
  using AiOnnxOpset8::pow;
  using AiOnnxOpset8::randomnormal;
  using AiOnnxOpset8::randomnormallike;
  using AiOnnxOpset8::randomuniform;
  using AiOnnxOpset8::randomuniformlike;
  using AiOnnxOpset8::reciprocal;
  using AiOnnxOpset8::reducel1;
  using AiOnnxOpset8::reducel2;
  using AiOnnxOpset8::reducelogsum;
  using AiOnnxOpset8::reducelogsumexp;
  using AiOnnxOpset8::reducemax;
  using AiOnnxOpset8::reducemean;
  using AiOnnxOpset8::reducemin;
  using AiOnnxOpset8::reduceprod;
  using AiOnnxOpset8::reducesum;
  using AiOnnxOpset8::reducesumsquare;
  using AiOnnxOpset8::relu;
  using AiOnnxOpset8::reshape;
  using AiOnnxOpset8::rnn;
  using AiOnnxOpset8::selu;
  using AiOnnxOpset8::shape;
  using AiOnnxOpset8::sigmoid;
  using AiOnnxOpset8::sin;
  using AiOnnxOpset8::size;
  using AiOnnxOpset8::slice;
  using AiOnnxOpset8::softmax;
  using AiOnnxOpset8::softplus;
  using AiOnnxOpset8::softsign;
  using AiOnnxOpset8::spacetodepth;
  using AiOnnxOpset8::split;
  using AiOnnxOpset8::sqrt;
  using AiOnnxOpset8::squeeze;
  using AiOnnxOpset8::sub;
  using AiOnnxOpset8::sum;
  using AiOnnxOpset8::tan;
  using AiOnnxOpset8::tanh;
  using AiOnnxOpset8::tile;
  using AiOnnxOpset8::topk;
  using AiOnnxOpset8::transpose;
  using AiOnnxOpset8::unsqueeze;

  TensorId acosh(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId asinh(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId atanh(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> batchnormalization(const std::vector<TensorId>& args, unsigned num_outputs,
                                           float epsilon = 1e-05f, float momentum = 0.9f,
                                           const DebugContext& debugContext = {});
  TensorId cast(const std::vector<TensorId>& args, const std::string& to,
                const DebugContext& debugContext = {});
  TensorId compress(const std::vector<TensorId>& args,
                    nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
                    const DebugContext& debugContext = {});
  TensorId constant(const ConstVoidData& value, const DebugContext& debugContext = {});
  TensorId constantofshape(const std::vector<TensorId>& args, const ConstVoidData& value,
                           const DebugContext& debugContext = {});
  TensorId cosh(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId erf(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId eyelike(const std::vector<TensorId>& args,
                   nonstd::optional<std::int64_t> dtype = nonstd::optional<std::int64_t>(),
                   std::int64_t k = 0, const DebugContext& debugContext = {});
  TensorId flatten(const std::vector<TensorId>& args, std::int64_t axis = 1,
                   const DebugContext& debugContext = {});
  TensorId gemm(const std::vector<TensorId>& args, float alpha = 1.0f, float beta = 1.0f,
                std::int64_t transA = 0, std::int64_t transB = 0,
                const DebugContext& debugContext = {});
  TensorId greater(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId isnan(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId less(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId matmul(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId maxunpool(const std::vector<TensorId>& args,
                     const std::vector<std::int64_t>& kernel_shape,
                     const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                     const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                     const DebugContext& debugContext = {});
  TensorId meanvariancenormalization(
      const std::vector<TensorId>& args,
      const std::vector<std::int64_t>& axes = std::vector<std::int64_t>(),
      const DebugContext& debugContext = {});
  TensorId nonzero(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId onehot(const std::vector<TensorId>& args, std::int64_t axis = -1,
                  const DebugContext& debugContext = {});
  TensorId prelu(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
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
  TensorId shrink(const std::vector<TensorId>& args, float bias = 0.0f, float lambd = 0.5f,
                  const DebugContext& debugContext = {});
  TensorId sign(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId sinh(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId tfidfvectorizer(
      const std::vector<TensorId>& args, std::int64_t max_gram_length, std::int64_t max_skip_count,
      std::int64_t min_gram_length, const std::string& mode,
      const std::vector<std::int64_t>& ngram_counts, const std::vector<std::int64_t>& ngram_indexes,
      const std::vector<std::int64_t>& pool_int64s = std::vector<std::int64_t>(),
      const std::vector<std::string>& pool_strings = std::vector<std::string>(),
      const std::vector<float>& weights = std::vector<float>(),
      const DebugContext& debugContext = {});
  TensorId upsample(const std::vector<TensorId>& args, const std::string& mode = "nearest",
                    const DebugContext& debugContext = {});
  TensorId where(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
};

}  // namespace popart

#endif  // popart_emulator_onnxbuilder9_hpp
