#include <popart/emulator/onnxbuilder8.hpp>
#include <popart/operators.hpp>

namespace popart {

TensorId AiOnnxOpset8::expand(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Expand_8, "expand", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset8::max(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Max_8, "max", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset8::maxpool(const std::vector<TensorId>& args, unsigned num_outputs,
                                            const std::vector<std::int64_t>& kernel_shape,
                                            const std::vector<std::int64_t>& pads,
                                            std::int64_t storage_order,
                                            const std::vector<std::int64_t>& strides,
                                            const DebugContext& debugContext) {
  return call(Onnx::Operators::MaxPool_8, "maxpool", args, num_outputs,
              {{"kernel_shape", kernel_shape},
               {"pads", pads},
               {"storage_order", storage_order},
               {"strides", strides}},
              debugContext);
}

TensorId AiOnnxOpset8::mean(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Mean_8, "mean", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset8::min(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Min_8, "min", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset8::scan(const std::vector<TensorId>&, unsigned, const Builder&,
                                         std::int64_t, const std::vector<std::int64_t>&,
                                         const DebugContext&) {
  absent("aiOnnx.scan");
}

TensorId AiOnnxOpset8::sum(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Sum_8, "sum", args, 1, {}, debugContext)[0];
}

}  // namespace popart
