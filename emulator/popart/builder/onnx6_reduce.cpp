#include <popart/emulator/onnxbuilder6.hpp>
#include <popart/operators.hpp>

namespace popart {

TensorId AiOnnxOpset6::reducel1(const std::vector<TensorId>& args,
                                nonstd::optional<std::vector<std::int64_t>> axes,
                                std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceL1_1, "reducel1", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reducel2(const std::vector<TensorId>& args,
                                nonstd::optional<std::vector<std::int64_t>> axes,
                                std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceL2_1, "reducel2", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reducelogsum(const std::vector<TensorId>& args,
                                    nonstd::optional<std::vector<std::int64_t>> axes,
                                    std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceLogSum_1, "reducelogsum", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reducelogsumexp(const std::vector<TensorId>& args,
                                       nonstd::optional<std::vector<std::int64_t>> axes,
                                       std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceLogSumExp_1, "reducelogsumexp", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reducemax(const std::vector<TensorId>& args,
                                 nonstd::optional<std::vector<std::int64_t>> axes,
                                 std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceMax_1, "reducemax", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reducemean(const std::vector<TensorId>& args,
                                  nonstd::optional<std::vector<std::int64_t>> axes,
                                  std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceMean_1, "reducemean", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reducemin(const std::vector<TensorId>& args,
                                 nonstd::optional<std::vector<std::int64_t>> axes,
                                 std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceMin_1, "reducemin", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reduceprod(const std::vector<TensorId>& args,
                                  nonstd::optional<std::vector<std::int64_t>> axes,
                                  std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceProd_1, "reduceprod", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reducesum(const std::vector<TensorId>& args,
                                 nonstd::optional<std::vector<std::int64_t>> axes,
                                 std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceSum_1, "reducesum", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset6::reducesumsquare(const std::vector<TensorId>& args,
                                       nonstd::optional<std::vector<std::int64_t>> axes,
                                       std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceSumSquare_1, "reducesumsquare", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

}  // namespace popart
