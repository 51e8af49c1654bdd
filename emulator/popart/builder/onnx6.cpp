#include <popart/emulator/onnxbuilder6.hpp>
#include <popart/operators.hpp>

namespace popart {

TensorId AiOnnxOpset6::abs(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Abs_6, "abs", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::add(const std::vector<TensorId>& args, nonstd::optional<std::int64_t> axis,
                           std::int64_t broadcast, const DebugContext& debugContext) {
  return call(Onnx::Operators::Add_6, "add", args, 1, {{"axis", axis}, {"broadcast", broadcast}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::logical_and(const std::vector<TensorId>& args,
                                   nonstd::optional<std::int64_t> axis, std::int64_t broadcast,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::And_1, "logical_and", args, 1,
              {{"axis", axis}, {"broadcast", broadcast}}, debugContext)[0];
}

TensorId AiOnnxOpset6::argmax(const std::vector<TensorId>& args, std::int64_t axis,
                              std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ArgMax_1, "argmax", args, 1,
              {{"axis", axis}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::argmin(const std::vector<TensorId>& args, std::int64_t axis,
                              std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ArgMin_1, "argmin", args, 1,
              {{"axis", axis}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::averagepool(const std::vector<TensorId>& args,
                                   const std::vector<std::int64_t>& kernel_shape,
                                   const std::vector<std::int64_t>& pads,
                                   const std::vector<std::int64_t>& strides,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::AveragePool_1, "averagepool", args, 1,
              {{"kernel_shape", kernel_shape}, {"pads", pads}, {"strides", strides}},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset6::batchnormalization(const std::vector<TensorId>& args,
                                                       unsigned num_outputs, float epsilon,
                                                       std::int64_t is_test, float momentum,
                                                       std::int64_t spatial,
                                                       const DebugContext& debugContext) {
  return call(
      Onnx::Operators::BatchNormalization_6, "batchnormalization", args, num_outputs,
      {{"epsilon", epsilon}, {"is_test", is_test}, {"momentum", momentum}, {"spatial", spatial}},
      debugContext);
}

TensorId AiOnnxOpset6::cast(const std::vector<TensorId>& args, const std::string& to,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Cast_6, "cast", args, 1, {{"to", to}}, debugContext)[0];
}

TensorId AiOnnxOpset6::ceil(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Ceil_6, "ceil", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::clip(const std::vector<TensorId>& args, float max, float min,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Clip_6, "clip", args, 1, {{"max", max}, {"min", min}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::concat(const std::vector<TensorId>& args, std::int64_t axis,
                              const DebugContext& debugContext) {
  return call(Onnx::Operators::Concat_4, "concat", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset6::constant(const ConstVoidData& value, const DebugContext& debugContext) {
  return addConstant(value, debugContext);
}

TensorId AiOnnxOpset6::conv(const std::vector<TensorId>& args,
                            const std::vector<std::int64_t>& dilations, std::int64_t group,
                            const std::vector<std::int64_t>& kernel_shape,
                            const std::vector<std::int64_t>& pads,
                            const std::vector<std::int64_t>& strides,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Conv_1, "conv", args, 1,
              {{"dilations", dilations},
               {"group", group},
               {"kernel_shape", kernel_shape},
               {"pads", pads},
               {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::convtranspose(const std::vector<TensorId>& args,
                                     const std::vector<std::int64_t>& dilations, std::int64_t group,
                                     const std::vector<std::int64_t>& kernel_shape,
                                     const std::vector<std::int64_t>& output_padding,
                                     const std::vector<std::int64_t>& output_shape,
                                     const std::vector<std::int64_t>& pads,
                                     const std::vector<std::int64_t>& strides,
                                     const DebugContext& debugContext) {
  return call(Onnx::Operators::ConvTranspose_1, "convtranspose", args, 1,
              {{"dilations", dilations},
               {"group", group},
               {"kernel_shape", kernel_shape},
               {"output_padding", output_padding},
               {"output_shape", output_shape},
               {"pads", pads},
               {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::depthtospace(const std::vector<TensorId>& args, std::int64_t blocksize,
                                    const DebugContext& debugContext) {
  return call(Onnx::Operators::DepthToSpace_1, "depthtospace", args, 1, {{"blocksize", blocksize}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::div(const std::vector<TensorId>& args, nonstd::optional<std::int64_t> axis,
                           std::int64_t broadcast, const DebugContext& debugContext) {
  return call(Onnx::Operators::Div_6, "div", args, 1, {{"axis", axis}, {"broadcast", broadcast}},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset6::dropout(const std::vector<TensorId>& args, unsigned num_outputs,
                                            std::int64_t is_test, float ratio,
                                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Dropout_6, "dropout", args, num_outputs,
              {{"is_test", is_test}, {"ratio", ratio}}, debugContext);
}

TensorId AiOnnxOpset6::elu(const std::vector<TensorId>& args, float alpha,
                           const DebugContext& debugContext) {
  return call(Onnx::Operators::Elu_6, "elu", args, 1, {{"alpha", alpha}}, debugContext)[0];
}

TensorId AiOnnxOpset6::equal(const std::vector<TensorId>& args, nonstd::optional<std::int64_t> axis,
                             std::int64_t broadcast, const DebugContext& debugContext) {
  return call(Onnx::Operators::Equal_1, "equal", args, 1,
              {{"axis", axis}, {"broadcast", broadcast}}, debugContext)[0];
}

TensorId AiOnnxOpset6::exp(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Exp_6, "exp", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::flatten(const std::vector<TensorId>& args, std::int64_t axis,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Flatten_1, "flatten", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset6::floor(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Floor_6, "floor", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset6::gru(const std::vector<TensorId>& args, unsigned num_outputs,
                                        const std::vector<float>& activation_alpha,
                                        const std::vector<float>& activation_beta,
                                        const std::vector<std::string>& activations,
                                        nonstd::optional<float> clip, const std::string& direction,
                                        nonstd::optional<std::int64_t> hidden_size,
                                        std::int64_t linear_before_reset,
                                        std::int64_t output_sequence,
                                        const DebugContext& debugContext) {
  return call(Onnx::Operators::GRU_3, "gru", args, num_outputs,
              {{"activation_alpha", activation_alpha},
               {"activation_beta", activation_beta},
               {"activations", activations},
               {"clip", clip},
               {"direction", direction},
               {"hidden_size", hidden_size},
               {"linear_before_reset", linear_before_reset},
               {"output_sequence", output_sequence}},
              debugContext);
}

TensorId AiOnnxOpset6::gather(const std::vector<TensorId>& args, std::int64_t axis,
                              const DebugContext& debugContext) {
  return call(Onnx::Operators::Gather_1, "gather", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset6::gemm(const std::vector<TensorId>& args, float alpha, float beta,
                            std::int64_t broadcast, std::int64_t transA, std::int64_t transB,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Gemm_6, "gemm", args, 1,
              {{"alpha", alpha},
               {"beta", beta},
               {"broadcast", broadcast},
               {"transA", transA},
               {"transB", transB}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::globalaveragepool(const std::vector<TensorId>& args,
                                         const DebugContext& debugContext) {
  return call(Onnx::Operators::GlobalAveragePool_1, "globalaveragepool", args, 1, {},
              debugContext)[0];
}

TensorId AiOnnxOpset6::globallppool(const std::vector<TensorId>& args, std::int64_t p,
                                    const DebugContext& debugContext) {
  return call(Onnx::Operators::GlobalLpPool_2, "globallppool", args, 1, {{"p", p}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::globalmaxpool(const std::vector<TensorId>& args,
                                     const DebugContext& debugContext) {
  return call(Onnx::Operators::GlobalMaxPool_1, "globalmaxpool", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::greater(const std::vector<TensorId>& args,
                               nonstd::optional<std::int64_t> axis, std::int64_t broadcast,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Greater_1, "greater", args, 1,
              {{"axis", axis}, {"broadcast", broadcast}}, debugContext)[0];
}

TensorId AiOnnxOpset6::hardsigmoid(const std::vector<TensorId>& args, float alpha, float beta,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::HardSigmoid_6, "hardsigmoid", args, 1,
              {{"alpha", alpha}, {"beta", beta}}, debugContext)[0];
}

TensorId AiOnnxOpset6::hardmax(const std::vector<TensorId>& args, std::int64_t axis,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Hardmax_1, "hardmax", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset6::identity(const std::vector<TensorId>& args,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Identity_1, "identity", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset6::logical_if(const std::vector<TensorId>&, unsigned,
                                               const Builder&, const Builder&,
                                               const DebugContext&) {
  absent("aiOnnx.logical_if");
}

TensorId AiOnnxOpset6::instancenormalization(const std::vector<TensorId>& args, float epsilon,
                                             const DebugContext& debugContext) {
  return call(Onnx::Operators::InstanceNormalization_6, "instancenormalization", args, 1,
              {{"epsilon", epsilon}}, debugContext)[0];
}

TensorId AiOnnxOpset6::lrn(const std::vector<TensorId>& args, std::int64_t size, float alpha,
                           float beta, float bias, const DebugContext& debugContext) {
  return call(Onnx::Operators::LRN_1, "lrn", args, 1,
              {{"size", size}, {"alpha", alpha}, {"beta", beta}, {"bias", bias}}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset6::lstm(const std::vector<TensorId>& args, unsigned num_outputs,
                                         const std::vector<float>& activation_alpha,
                                         const std::vector<float>& activation_beta,
                                         const std::vector<std::string>& activations,
                                         nonstd::optional<float> clip, const std::string& direction,
                                         nonstd::optional<std::int64_t> hidden_size,
                                         std::int64_t input_forget, std::int64_t output_sequence,
                                         const DebugContext& debugContext) {
  return call(Onnx::Operators::LSTM_1, "lstm", args, num_outputs,
              {{"activation_alpha", activation_alpha},
               {"activation_beta", activation_beta},
               {"activations", activations},
               {"clip", clip},
               {"direction", direction},
               {"hidden_size", hidden_size},
               {"input_forget", input_forget},
               {"output_sequence", output_sequence}},
              debugContext);
}

TensorId AiOnnxOpset6::leakyrelu(const std::vector<TensorId>& args, float alpha,
                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::LeakyRelu_6, "leakyrelu", args, 1, {{"alpha", alpha}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::less(const std::vector<TensorId>& args, nonstd::optional<std::int64_t> axis,
                            std::int64_t broadcast, const DebugContext& debugContext) {
  return call(Onnx::Operators::Less_1, "less", args, 1, {{"axis", axis}, {"broadcast", broadcast}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::log(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Log_6, "log", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::logsoftmax(const std::vector<TensorId>& args, std::int64_t axis,
                                  const DebugContext& debugContext) {
  return call(Onnx::Operators::LogSoftmax_1, "logsoftmax", args, 1, {{"axis", axis}},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset6::loop(const std::vector<TensorId>&, unsigned, const Builder&,
                                         const DebugContext&) {
  absent("aiOnnx.loop");
}

TensorId AiOnnxOpset6::lpnormalization(const std::vector<TensorId>& args, std::int64_t axis,
                                       std::int64_t p, const DebugContext& debugContext) {
  return call(Onnx::Operators::LpNormalization_1, "lpnormalization", args, 1,
              {{"axis", axis}, {"p", p}}, debugContext)[0];
}

TensorId AiOnnxOpset6::lppool(const std::vector<TensorId>& args,
                              const std::vector<std::int64_t>& kernel_shape, std::int64_t p,
                              const std::vector<std::int64_t>& pads,
                              const std::vector<std::int64_t>& strides,
                              const DebugContext& debugContext) {
  return call(Onnx::Operators::LpPool_2, "lppool", args, 1,
              {{"kernel_shape", kernel_shape}, {"p", p}, {"pads", pads}, {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::matmul(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::MatMul_1, "matmul", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::max(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Max_6, "max", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::maxpool(const std::vector<TensorId>& args,
                               const std::vector<std::int64_t>& kernel_shape,
                               const std::vector<std::int64_t>& pads,
                               const std::vector<std::int64_t>& strides,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::MaxPool_1, "maxpool", args, 1,
              {{"kernel_shape", kernel_shape}, {"pads", pads}, {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::maxroipool(const std::vector<TensorId>& args,
                                  const std::vector<std::int64_t>& pooled_shape,
                                  float spatial_scale, const DebugContext& debugContext) {
  return call(Onnx::Operators::MaxRoiPool_1, "maxroipool", args, 1,
              {{"pooled_shape", pooled_shape}, {"spatial_scale", spatial_scale}}, debugContext)[0];
}

TensorId AiOnnxOpset6::mean(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Mean_6, "mean", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::min(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Min_6, "min", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::mul(const std::vector<TensorId>& args, nonstd::optional<std::int64_t> axis,
                           std::int64_t broadcast, const DebugContext& debugContext) {
  return call(Onnx::Operators::Mul_6, "mul", args, 1, {{"axis", axis}, {"broadcast", broadcast}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::neg(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Neg_6, "neg", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::logical_not(const std::vector<TensorId>& args,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::Not_1, "logical_not", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::logical_or(const std::vector<TensorId>& args,
                                  nonstd::optional<std::int64_t> axis, std::int64_t broadcast,
                                  const DebugContext& debugContext) {
  return call(Onnx::Operators::Or_1, "logical_or", args, 1,
              {{"axis", axis}, {"broadcast", broadcast}}, debugContext)[0];
}

TensorId AiOnnxOpset6::prelu(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::PRelu_6, "prelu", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::pad(const std::vector<TensorId>& args, const std::vector<std::int64_t>& pads,
                           const std::string& mode, float value, const DebugContext& debugContext) {
  return call(Onnx::Operators::Pad_2, "pad", args, 1,
              {{"pads", pads}, {"mode", mode}, {"value", value}}, debugContext)[0];
}

TensorId AiOnnxOpset6::pow(const std::vector<TensorId>& args, nonstd::optional<std::int64_t> axis,
                           std::int64_t broadcast, const DebugContext& debugContext) {
  return call(Onnx::Operators::Pow_1, "pow", args, 1, {{"axis", axis}, {"broadcast", broadcast}},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset6::rnn(const std::vector<TensorId>& args, unsigned num_outputs,
                                        const std::vector<float>& activation_alpha,
                                        const std::vector<float>& activation_beta,
                                        const std::vector<std::string>& activations,
                                        nonstd::optional<float> clip, const std::string& direction,
                                        nonstd::optional<std::int64_t> hidden_size,
                                        std::int64_t output_sequence,
                                        const DebugContext& debugContext) {
  return call(Onnx::Operators::RNN_1, "rnn", args, num_outputs,
              {{"activation_alpha", activation_alpha},
               {"activation_beta", activation_beta},
               {"activations", activations},
               {"clip", clip},
               {"direction", direction},
               {"hidden_size", hidden_size},
               {"output_sequence", output_sequence}},
              debugContext);
}

TensorId AiOnnxOpset6::randomnormal(const std::vector<std::int64_t>&, std::int64_t, float, float,
                                    nonstd::optional<float>, const DebugContext&) {
  absent("aiOnnx.randomnormal");
}

TensorId AiOnnxOpset6::randomnormallike(const std::vector<TensorId>& args,
                                        nonstd::optional<std::int64_t> dtype, float mean,
                                        float scale, nonstd::optional<float> seed,
                                        const DebugContext& debugContext) {
  return call(Onnx::Operators::RandomNormalLike_1, "randomnormallike", args, 1,
              {{"dtype", dtype}, {"mean", mean}, {"scale", scale}, {"seed", seed}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::randomuniform(const std::vector<std::int64_t>&, std::int64_t, float, float,
                                     nonstd::optional<float>, const DebugContext&) {
  absent("aiOnnx.randomuniform");
}

TensorId AiOnnxOpset6::randomuniformlike(const std::vector<TensorId>& args,
                                         nonstd::optional<std::int64_t> dtype, float high,
                                         float low, nonstd::optional<float> seed,
                                         const DebugContext& debugContext) {
  return call(Onnx::Operators::RandomUniformLike_1, "randomuniformlike", args, 1,
              {{"dtype", dtype}, {"high", high}, {"low", low}, {"seed", seed}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reciprocal(const std::vector<TensorId>& args,
                                  const DebugContext& debugContext) {
  return call(Onnx::Operators::Reciprocal_6, "reciprocal", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::relu(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Relu_6, "relu", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::reshape(const std::vector<TensorId>& args,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Reshape_5, "reshape", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::selu(const std::vector<TensorId>& args, float alpha, float gamma,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Selu_6, "selu", args, 1, {{"alpha", alpha}, {"gamma", gamma}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::shape(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Shape_1, "shape", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::sigmoid(const std::vector<TensorId>& args,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Sigmoid_6, "sigmoid", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::size(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Size_1, "size", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::slice(const std::vector<TensorId>& args,
                             const std::vector<std::int64_t>& ends,
                             const std::vector<std::int64_t>& starts,
                             const std::vector<std::int64_t>& axes,
                             const DebugContext& debugContext) {
  return call(Onnx::Operators::Slice_1, "slice", args, 1,
              {{"ends", ends}, {"starts", starts}, {"axes", axes}}, debugContext)[0];
}

TensorId AiOnnxOpset6::softmax(const std::vector<TensorId>& args, std::int64_t axis,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Softmax_1, "softmax", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset6::softplus(const std::vector<TensorId>& args,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Softplus_1, "softplus", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::softsign(const std::vector<TensorId>& args,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Softsign_1, "softsign", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::spacetodepth(const std::vector<TensorId>& args, std::int64_t blocksize,
                                    const DebugContext& debugContext) {
  return call(Onnx::Operators::SpaceToDepth_1, "spacetodepth", args, 1, {{"blocksize", blocksize}},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset6::split(const std::vector<TensorId>& args, unsigned num_outputs,
                                          std::int64_t axis, const std::vector<std::int64_t>& split,
                                          const DebugContext& debugContext) {
  return call(Onnx::Operators::Split_2, "split", args, num_outputs,
              {{"axis", axis}, {"split", split}}, debugContext);
}

TensorId AiOnnxOpset6::sqrt(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Sqrt_6, "sqrt", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::squeeze(const std::vector<TensorId>& args,
                               const std::vector<std::int64_t>& axes,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Squeeze_1, "squeeze", args, 1, {{"axes", axes}}, debugContext)[0];
}

TensorId AiOnnxOpset6::sub(const std::vector<TensorId>& args, nonstd::optional<std::int64_t> axis,
                           std::int64_t broadcast, const DebugContext& debugContext) {
  return call(Onnx::Operators::Sub_6, "sub", args, 1, {{"axis", axis}, {"broadcast", broadcast}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::sum(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Sum_6, "sum", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::tanh(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Tanh_6, "tanh", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset6::tile(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Tile_6, "tile", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset6::topk(const std::vector<TensorId>& args, std::int64_t k,
                                         std::int64_t axis, const DebugContext& debugContext) {
  return call(Onnx::Operators::TopK_1, "topk", args, 1, {{"k", k}, {"axis", axis}}, debugContext);
}

TensorId AiOnnxOpset6::transpose(const std::vector<TensorId>& args,
                                 const std::vector<std::int64_t>& perm,
                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::Transpose_1, "transpose", args, 1, {{"perm", perm}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::unsqueeze(const std::vector<TensorId>& args,
                                 const std::vector<std::int64_t>& axes,
                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::Unsqueeze_1, "unsqueeze", args, 1, {{"axes", axes}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::upsample(const std::vector<TensorId>& args, float height_scale,
                                float width_scale, const std::string& mode,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Upsample_1, "upsample", args, 1,
              {{"height_scale", height_scale}, {"width_scale", width_scale}, {"mode", mode}},
              debugContext)[0];
}

TensorId AiOnnxOpset6::logical_xor(const std::vector<TensorId>& args,
                                   nonstd::optional<std::int64_t> axis, std::int64_t broadcast,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::Xor_1, "logical_xor", args, 1,
              {{"axis", axis}, {"broadcast", broadcast}}, debugContext)[0];
}

}  // namespace popart
