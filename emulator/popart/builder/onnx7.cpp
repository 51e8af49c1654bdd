#include <popart/emulator/onnxbuilder7.hpp>
#include <popart/operators.hpp>

namespace popart {

TensorId AiOnnxOpset7::acos(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Acos_7, "acos", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::add(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Add_7, "add", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::logical_and(const std::vector<TensorId>& args,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::And_7, "logical_and", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::asin(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Asin_7, "asin", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::atan(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Atan_7, "atan", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::averagepool(const std::vector<TensorId>& args,
                                   const std::vector<std::int64_t>& kernel_shape,
                                   std::int64_t count_include_pad,
                                   const std::vector<std::int64_t>& pads,
                                   const std::vector<std::int64_t>& strides,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::AveragePool_7, "averagepool", args, 1,
              {{"kernel_shape", kernel_shape},
               {"count_include_pad", count_include_pad},
               {"pads", pads},
               {"strides", strides}},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset7::batchnormalization(const std::vector<TensorId>& args,
                                                       unsigned num_outputs, float epsilon,
                                                       float momentum, std::int64_t spatial,
                                                       const DebugContext& debugContext) {
  return call(Onnx::Operators::BatchNormalization_7, "batchnormalization", args, num_outputs,
              {{"epsilon", epsilon}, {"momentum", momentum}, {"spatial", spatial}}, debugContext);
}

TensorId AiOnnxOpset7::cos(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Cos_7, "cos", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::div(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Div_7, "div", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset7::dropout(const std::vector<TensorId>& args, unsigned num_outputs,
                                            float ratio, const DebugContext& debugContext) {
  return call(Onnx::Operators::Dropout_7, "dropout", args, num_outputs, {{"ratio", ratio}},
              debugContext);
}

TensorId AiOnnxOpset7::equal(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Equal_7, "equal", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset7::gru(const std::vector<TensorId>& args, unsigned num_outputs,
                                        const std::vector<float>& activation_alpha,
                                        const std::vector<float>& activation_beta,
                                        const std::vector<std::string>& activations,
                                        nonstd::optional<float> clip, const std::string& direction,
                                        nonstd::optional<std::int64_t> hidden_size,
                                        std::int64_t linear_before_reset,
                                        const DebugContext& debugContext) {
  return call(Onnx::Operators::GRU_7, "gru", args, num_outputs,
              {{"activation_alpha", activation_alpha},
               {"activation_beta", activation_beta},
               {"activations", activations},
               {"clip", clip},
               {"direction", direction},
               {"hidden_size", hidden_size},
               {"linear_before_reset", linear_before_reset}},
              debugContext);
}

TensorId AiOnnxOpset7::gemm(const std::vector<TensorId>& args, float alpha, float beta,
                            std::int64_t transA, std::int64_t transB,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Gemm_7, "gemm", args, 1,
              {{"alpha", alpha}, {"beta", beta}, {"transA", transA}, {"transB", transB}},
              debugContext)[0];
}

TensorId AiOnnxOpset7::greater(const std::vector<TensorId>& args,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Greater_7, "greater", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset7::lstm(const std::vector<TensorId>& args, unsigned num_outputs,
                                         const std::vector<float>& activation_alpha,
                                         const std::vector<float>& activation_beta,
                                         const std::vector<std::string>& activations,
                                         nonstd::optional<float> clip, const std::string& direction,
                                         nonstd::optional<std::int64_t> hidden_size,
                                         std::int64_t input_forget,
                                         const DebugContext& debugContext) {
  return call(Onnx::Operators::LSTM_7, "lstm", args, num_outputs,
              {{"activation_alpha", activation_alpha},
               {"activation_beta", activation_beta},
               {"activations", activations},
               {"clip", clip},
               {"direction", direction},
               {"hidden_size", hidden_size},
               {"input_forget", input_forget}},
              debugContext);
}

TensorId AiOnnxOpset7::less(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Less_7, "less", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::mul(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Mul_7, "mul", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::multinomial(const std::vector<TensorId>& args, std::int64_t dtype,
                                   std::int64_t sample_size, nonstd::optional<float> seed,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::Multinomial_7, "multinomial", args, 1,
              {{"dtype", dtype}, {"sample_size", sample_size}, {"seed", seed}}, debugContext)[0];
}

TensorId AiOnnxOpset7::logical_or(const std::vector<TensorId>& args,
                                  const DebugContext& debugContext) {
  return call(Onnx::Operators::Or_7, "logical_or", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::prelu(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::PRelu_7, "prelu", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::pow(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Pow_7, "pow", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset7::rnn(const std::vector<TensorId>& args, unsigned num_outputs,
                                        const std::vector<float>& activation_alpha,
                                        const std::vector<float>& activation_beta,
                                        const std::vector<std::string>& activations,
                                        nonstd::optional<float> clip, const std::string& direction,
                                        nonstd::optional<std::int64_t> hidden_size,
                                        const DebugContext& debugContext) {
  return call(Onnx::Operators::RNN_7, "rnn", args, num_outputs,
              {{"activation_alpha", activation_alpha},
               {"activation_beta", activation_beta},
               {"activations", activations},
               {"clip", clip},
               {"direction", direction},
               {"hidden_size", hidden_size}},
              debugContext);
}

TensorId AiOnnxOpset7::sin(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Sin_7, "sin", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::sub(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Sub_7, "sub", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::tan(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Tan_7, "tan", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset7::upsample(const std::vector<TensorId>& args, const std::vector<float>& scales,
                                const std::string& mode, const DebugContext& debugContext) {
  return call(Onnx::Operators::Upsample_7, "upsample", args, 1,
              {{"scales", scales}, {"mode", mode}}, debugContext)[0];
}

TensorId AiOnnxOpset7::logical_xor(const std::vector<TensorId>& args,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::Xor_7, "logical_xor", args, 1, {}, debugContext)[0];
}

}  // namespace popart
