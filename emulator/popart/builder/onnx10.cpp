#include <popart/emulator/onnxbuilder10.hpp>
#include <popart/operators.hpp>

namespace popart {

TensorId AiOnnxOpset10::averagepool(const std::vector<TensorId>& args,
                                    const std::vector<std::int64_t>& kernel_shape,
                                    std::int64_t ceil_mode, std::int64_t count_include_pad,
                                    const std::vector<std::int64_t>& pads,
                                    const std::vector<std::int64_t>& strides,
                                    const DebugContext& debugContext) {
  return call(Onnx::Operators::AveragePool_10, "averagepool", args, 1,
              {{"kernel_shape", kernel_shape},
               {"ceil_mode", ceil_mode},
               {"count_include_pad", count_include_pad},
               {"pads", pads},
               {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset10::convinteger(const std::vector<TensorId>& args,
                                    const std::vector<std::int64_t>& dilations, std::int64_t group,
                                    const std::vector<std::int64_t>& kernel_shape,
                                    const std::vector<std::int64_t>& pads,
                                    const std::vector<std::int64_t>& strides,
                                    const DebugContext& debugContext) {
  return call(Onnx::Operators::ConvInteger_10, "convinteger", args, 1,
              {{"dilations", dilations},
               {"group", group},
               {"kernel_shape", kernel_shape},
               {"pads", pads},
               {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset10::dequantizelinear(const std::vector<TensorId>& args,
                                         const DebugContext& debugContext) {
  return call(Onnx::Operators::DequantizeLinear_10, "dequantizelinear", args, 1, {},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset10::dropout(const std::vector<TensorId>& args,
                                             unsigned num_outputs, float ratio,
                                             const DebugContext& debugContext) {
  return call(Onnx::Operators::Dropout_10, "dropout", args, num_outputs, {{"ratio", ratio}},
              debugContext);
}

TensorId AiOnnxOpset10::isinf(const std::vector<TensorId>& args, std::int64_t detect_negative,
                              std::int64_t detect_positive, const DebugContext& debugContext) {
  return call(Onnx::Operators::IsInf_10, "isinf", args, 1,
              {{"detect_negative", detect_negative}, {"detect_positive", detect_positive}},
              debugContext)[0];
}

TensorId AiOnnxOpset10::matmulinteger(const std::vector<TensorId>& args,
                                      const DebugContext& debugContext) {
  return call(Onnx::Operators::MatMulInteger_10, "matmulinteger", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset10::maxpool(
    const std::vector<TensorId>& args, unsigned num_outputs,
    const std::vector<std::int64_t>& kernel_shape, std::int64_t ceil_mode,
    const std::vector<std::int64_t>& dilations, const std::vector<std::int64_t>& pads,
    std::int64_t storage_order, const std::vector<std::int64_t>& strides,
    const DebugContext& debugContext) {
  return call(Onnx::Operators::MaxPool_10, "maxpool", args, num_outputs,
              {{"kernel_shape", kernel_shape},
               {"ceil_mode", ceil_mode},
               {"dilations", dilations},
               {"pads", pads},
               {"storage_order", storage_order},
               {"strides", strides}},
              debugContext);
}

TensorId AiOnnxOpset10::mod(const std::vector<TensorId>& args, std::int64_t fmod,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Mod_10, "mod", args, 1, {{"fmod", fmod}}, debugContext)[0];
}

TensorId AiOnnxOpset10::nonmaxsuppression(const std::vector<TensorId>& args,
                                          std::int64_t center_point_box,
                                          const DebugContext& debugContext) {
  return call(Onnx::Operators::NonMaxSuppression_10, "nonmaxsuppression", args, 1,
              {{"center_point_box", center_point_box}}, debugContext)[0];
}

TensorId AiOnnxOpset10::qlinearconv(const std::vector<TensorId>& args,
                                    const std::vector<std::int64_t>& dilations, std::int64_t group,
                                    const std::vector<std::int64_t>& kernel_shape,
                                    const std::vector<std::int64_t>& pads,
                                    const std::vector<std::int64_t>& strides,
                                    const DebugContext& debugContext) {
  return call(Onnx::Operators::QLinearConv_10, "qlinearconv", args, 1,
              {{"dilations", dilations},
               {"group", group},
               {"kernel_shape", kernel_shape},
               {"pads", pads},
               {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset10::qlinearmatmul(const std::vector<TensorId>& args,
                                      const DebugContext& debugContext) {
  return call(Onnx::Operators::QLinearMatMul_10, "qlinearmatmul", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset10::quantizelinear(const std::vector<TensorId>& args,
                                       const DebugContext& debugContext) {
  return call(Onnx::Operators::QuantizeLinear_10, "quantizelinear", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset10::resize(const std::vector<TensorId>& args, const std::string& mode,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Resize_10, "resize", args, 1, {{"mode", mode}}, debugContext)[0];
}

TensorId AiOnnxOpset10::reversesequence(const std::vector<TensorId>& args, std::int64_t batch_axis,
                                        std::int64_t time_axis, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReverseSequence_10, "reversesequence", args, 1,
              {{"batch_axis", batch_axis}, {"time_axis", time_axis}}, debugContext)[0];
}

TensorId AiOnnxOpset10::roialign(const std::vector<TensorId>& args, const std::string& mode,
                                 std::int64_t output_height, std::int64_t output_width,
                                 std::int64_t sampling_ratio, float spatial_scale,
                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::RoiAlign_10, "roialign", args, 1,
              {{"mode", mode},
               {"output_height", output_height},
               {"output_width", output_width},
               {"sampling_ratio", sampling_ratio},
               {"spatial_scale", spatial_scale}},
              debugContext)[0];
}

TensorId AiOnnxOpset10::slice(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Slice_10, "slice", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset10::stringnormalizer(const std::vector<TensorId>& args,
                                         const std::string& case_change_action,
                                         std::int64_t is_case_sensitive,
                                         nonstd::optional<std::string> locale,
                                         const std::vector<std::string>& stopwords,
                                         const DebugContext& debugContext) {
  return call(Onnx::Operators::StringNormalizer_10, "stringnormalizer", args, 1,
              {{"case_change_action", case_change_action},
               {"is_case_sensitive", is_case_sensitive},
               {"locale", locale},
               {"stopwords", stopwords}},
              debugContext)[0];
}

TensorId AiOnnxOpset10::thresholdedrelu(const std::vector<TensorId>& args, float alpha,
                                        const DebugContext& debugContext) {
  return call(Onnx::Operators::ThresholdedRelu_10, "thresholdedrelu", args, 1, {{"alpha", alpha}},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset10::topk(const std::vector<TensorId>& args, std::int64_t axis,
                                          const DebugContext& debugContext) {
  return call(Onnx::Operators::TopK_10, "topk", args, 1, {{"axis", axis}}, debugContext);
}

TensorId AiOnnxOpset10::upsample(const std::vector<TensorId>& args, const std::string& mode,
                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::Upsample_10, "upsample", args, 1, {{"mode", mode}}, debugContext)[0];
}

}  // namespace popart
