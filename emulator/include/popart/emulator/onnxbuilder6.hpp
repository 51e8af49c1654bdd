// The methods of opset 6 of ONNX; popart/builder.gen.hpp includes this.
#ifndef popart_emulator_onnxbuilder6_hpp
#define popart_emulator_onnxbuilder6_hpp

#include <popart/domainopset.hpp>

namespace popart {

class AiOnnxOpset6 : protected DomainOpSet {
 public:
  explicit AiOnnxOpset6(Builder& builder) : DomainOpSet(builder) {}
  int getOpsetVersion() const override { return 6; }

  TensorId abs(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId add(const std::vector<TensorId>& args,
               nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
               std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  TensorId logical_and(const std::vector<TensorId>& args,
                       nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
                       std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  TensorId argmax(const std::vector<TensorId>& args, std::int64_t axis = 0,
                  std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId argmin(const std::vector<TensorId>& args, std::int64_t axis = 0,
                  std::int64_t keepdims = 1, const DebugContext& debugContext = {});
  TensorId averagepool(const std::vector<TensorId>& args,
                       const std::vector<std::int64_t>& kernel_shape,
                       const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                       const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                       const DebugContext& debugContext = {});
  std::vector<TensorId> batchnormalization(const std::vector<TensorId>& args, unsigned num_outputs,
                                           float epsilon = 1e-05f, std::int64_t is_test = 0,
                                           float momentum = 0.9f, std::int64_t spatial = 1,
                                           const DebugContext& debugContext = {});
  TensorId cast(const std::vector<TensorId>& args, const std::string& to,
                const DebugContext& debugContext = {});
  TensorId ceil(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId clip(const std::vector<TensorId>& args, float max = 3.4028234663852886e+38f,
                float min = -3.4028234663852886e+38f, const DebugContext& debugContext = {});
  TensorId concat(const std::vector<TensorId>& args, std::int64_t axis,
                  const DebugContext& debugContext = {});
  TensorId constant(const ConstVoidData& value, const DebugContext& debugContext = {});
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
  TensorId depthtospace(const std::vector<TensorId>& args, std::int64_t blocksize,
                        const DebugContext& debugContext = {});
  TensorId div(const std::vector<TensorId>& args,
               nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
               std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  std::vector<TensorId> dropout(const std::vector<TensorId>& args, unsigned num_outputs,
                                std::int64_t is_test = 0, float ratio = 0.5f,
                                const DebugContext& debugContext = {});
  TensorId elu(const std::vector<TensorId>& args, float alpha = 1.0f,
               const DebugContext& debugContext = {});
  TensorId equal(const std::vector<TensorId>& args,
                 nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
                 std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  TensorId exp(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId flatten(const std::vector<TensorId>& args, std::int64_t axis = 1,
                   const DebugContext& debugContext = {});
  TensorId floor(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> gru(
      const std::vector<TensorId>& args, unsigned num_outputs,
      const std::vector<float>& activation_alpha = std::vector<float>(),
      const std::vector<float>& activation_beta = std::vector<float>(),
      const std::vector<std::string>& activations = std::vector<std::string>(),
      nonstd::optional<float> clip = nonstd::optional<float>(),
      const std::string& direction = "forward",
      nonstd::optional<std::int64_t> hidden_size = nonstd::optional<std::int64_t>(),
      std::int64_t linear_before_reset = 0, std::int64_t output_sequence = 0,
      const DebugContext& debugContext = {});
  TensorId gather(const std::vector<TensorId>& args, std::int64_t axis = 0,
                  const DebugContext& debugContext = {});
  TensorId gemm(const std::vector<TensorId>& args, float alpha = 1.0f, float beta = 1.0f,
                std::int64_t broadcast = 0, std::int64_t transA = 0, std::int64_t transB = 0,
                const DebugContext& debugContext = {});
  TensorId globalaveragepool(const std::vector<TensorId>& args,
                             const DebugContext& debugContext = {});
  TensorId globallppool(const std::vector<TensorId>& args, std::int64_t p = 2,
                        const DebugContext& debugContext = {});
  TensorId globalmaxpool(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId greater(const std::vector<TensorId>& args,
                   nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
                   std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  TensorId hardsigmoid(const std::vector<TensorId>& args, float alpha = 0.2f, float beta = 0.5f,
                       const DebugContext& debugContext = {});
  TensorId hardmax(const std::vector<TensorId>& args, std::int64_t axis = 1,
                   const DebugContext& debugContext = {});
  TensorId identity(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> logical_if(const std::vector<TensorId>& args, unsigned num_outputs,
                                   const Builder& else_branch, const Builder& then_branch,
                                   const DebugContext& debugContext = {});
  TensorId instancenormalization(const std::vector<TensorId>& args, float epsilon = 1e-05f,
                                 const DebugContext& debugContext = {});
  TensorId lrn(const std::vector<TensorId>& args, std::int64_t size, float alpha = 0.0001f,
               float beta = 0.75f, float bias = 1.0f, const DebugContext& debugContext = {});
  std::vector<TensorId> lstm(
      const std::vector<TensorId>& args, unsigned num_outputs,
      const std::vector<float>& activation_alpha = std::vector<float>(),
      const std::vector<float>& activation_beta = std::vector<float>(),
      const std::vector<std::string>& activations = std::vector<std::string>(),
      nonstd::optional<float> clip = nonstd::optional<float>(),
      const std::string& direction = "forward",
      nonstd::optional<std::int64_t> hidden_size = nonstd::optional<std::int64_t>(),
      std::int64_t input_forget = 0, std::int64_t output_sequence = 0,
      const DebugContext& debugContext = {});
  TensorId leakyrelu(const std::vector<TensorId>& args, float alpha = 0.01f,
                     const DebugContext& debugContext = {});
  TensorId less(const std::vector<TensorId>& args,
                nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
                std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  TensorId log(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId logsoftmax(const std::vector<TensorId>& args, std::int64_t axis = 1,
                      const DebugContext& debugContext = {});
  std::vector<TensorId> loop(const std::vector<TensorId>& args, unsigned num_outputs,
                             const Builder& body, const DebugContext& debugContext = {});
  TensorId lpnormalization(const std::vector<TensorId>& args, std::int64_t axis = -1,
                           std::int64_t p = 2, const DebugContext& debugContext = {});
  TensorId lppool(const std::vector<TensorId>& args, const std::vector<std::int64_t>& kernel_shape,
                  std::int64_t p = 2,
                  const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                  const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                  const DebugContext& debugContext = {});
  TensorId matmul(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId max(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId maxpool(const std::vector<TensorId>& args, const std::vector<std::int64_t>& kernel_shape,
                   const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
                   const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
                   const DebugContext& debugContext = {});
  TensorId maxroipool(const std::vector<TensorId>& args,
                      const std::vector<std::int64_t>& pooled_shape, float spatial_scale = 1.0f,
                      const DebugContext& debugContext = {});
  TensorId mean(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId min(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId mul(const std::vector<TensorId>& args,
               nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
               std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  TensorId neg(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId logical_not(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId logical_or(const std::vector<TensorId>& args,
                      nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
                      std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  TensorId prelu(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId pad(const std::vector<TensorId>& args, const std::vector<std::int64_t>& pads,
               const std::string& mode = "constant", float value = 0.0f,
               const DebugContext& debugContext = {});
  TensorId pow(const std::vector<TensorId>& args,
               nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
               std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  std::vector<TensorId> rnn(
      const std::vector<TensorId>& args, unsigned num_outputs,
      const std::vector<float>& activation_alpha = std::vector<float>(),
      const std::vector<float>& activation_beta = std::vector<float>(),
      const std::vector<std::string>& activations = std::vector<std::string>(),
      nonstd::optional<float> clip = nonstd::optional<float>(),
      const std::string& direction = "forward",
      nonstd::optional<std::int64_t> hidden_size = nonstd::optional<std::int64_t>(),
      std::int64_t output_sequence = 0, const DebugContext& debugContext = {});
  TensorId randomnormal(const std::vector<std::int64_t>& shape, std::int64_t dtype = 1,
                        float mean = 0.0f, float scale = 1.0f,
                        nonstd::optional<float> seed = nonstd::optional<float>(),
                        const DebugContext& debugContext = {});
  TensorId randomnormallike(const std::vector<TensorId>& args,
                            nonstd::optional<std::int64_t> dtype = nonstd::optional<std::int64_t>(),
                            float mean = 0.0f, float scale = 1.0f,
                            nonstd::optional<float> seed = nonstd::optional<float>(),
                            const DebugContext& debugContext = {});
  TensorId randomuniform(const std::vector<std::int64_t>& shape, std::int64_t dtype = 1,
                         float high = 1.0f, float low = 0.0f,
                         nonstd::optional<float> seed = nonstd::optional<float>(),
                         const DebugContext& debugContext = {});
  TensorId randomuniformlike(
      const std::vector<TensorId>& args,
      nonstd::optional<std::int64_t> dtype = nonstd::optional<std::int64_t>(), float high = 1.0f,
      float low = 0.0f, nonstd::optional<float> seed = nonstd::optional<float>(),
      const DebugContext& debugContext = {});
  TensorId reciprocal(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
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
  TensorId relu(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId reshape(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId selu(const std::vector<TensorId>& args, float alpha = 1.67326f, float gamma = 1.0507f,
                const DebugContext& debugContext = {});
  TensorId shape(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId sigmoid(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId size(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId slice(const std::vector<TensorId>& args, const std::vector<std::int64_t>& ends,
                 const std::vector<std::int64_t>& starts,
                 const std::vector<std::int64_t>& axes = std::vector<std::int64_t>(),
                 const DebugContext& debugContext = {});
  TensorId softmax(const std::vector<TensorId>& args, std::int64_t axis = 1,
                   const DebugContext& debugContext = {});
  TensorId softplus(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId softsign(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId spacetodepth(const std::vector<TensorId>& args, std::int64_t blocksize,
                        const DebugContext& debugContext = {});
  std::vector<TensorId> split(const std::vector<TensorId>& args, unsigned num_outputs,
                              std::int64_t axis = 0,
                              const std::vector<std::int64_t>& split = std::vector<std::int64_t>(),
                              const DebugContext& debugContext = {});
  TensorId sqrt(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId squeeze(const std::vector<TensorId>& args,
                   const std::vector<std::int64_t>& axes = std::vector<std::int64_t>(),
                   const DebugContext& debugContext = {});
  TensorId sub(const std::vector<TensorId>& args,
               nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
               std::int64_t broadcast = 0, const DebugContext& debugContext = {});
  TensorId sum(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId tanh(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId tile(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> topk(const std::vector<TensorId>& args, std::int64_t k,
                             std::int64_t axis = -1, const DebugContext& debugContext = {});
  TensorId transpose(const std::vector<TensorId>& args,
                     const std::vector<std::int64_t>& perm = std::vector<std::int64_t>(),
                     const DebugContext& debugContext = {});
  TensorId unsqueeze(const std::vector<TensorId>& args, const std::vector<std::int64_t>& axes,
                     const DebugContext& debugContext = {});
  TensorId upsample(const std::vector<TensorId>& args, float height_scale, float width_scale,
                    const std::string& mode = "nearest", const DebugContext& debugContext = {});
  TensorId logical_xor(const std::vector<TensorId>& args,
                       nonstd::optional<std::int64_t> axis = nonstd::optional<std::int64_t>(),
                       std::int64_t broadcast = 0, const DebugContext& debugContext = {});
};

}  // namespace popart

#endif  // popart_emulator_onnxbuilder6_hpp
