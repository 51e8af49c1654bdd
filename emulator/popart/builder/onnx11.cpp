#include <popart/emulator/onnxbuilder11.hpp>
#include <popart/operators.hpp>

namespace popart {

TensorId AiOnnxOpset11::argmax(const std::vector<TensorId>& args, std::int64_t axis,
                               std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ArgMax_11, "argmax", args, 1,
              {{"axis", axis}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::argmin(const std::vector<TensorId>& args, std::int64_t axis,
                               std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ArgMin_11, "argmin", args, 1,
              {{"axis", axis}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::averagepool(const std::vector<TensorId>& args,
                                    const std::vector<std::int64_t>& kernel_shape,
                                    std::int64_t ceil_mode, std::int64_t count_include_pad,
                                    const std::vector<std::int64_t>& pads,
                                    const std::vector<std::int64_t>& strides,
                                    const DebugContext& debugContext) {
  return call(Onnx::Operators::AveragePool_11, "averagepool", args, 1,
              {{"kernel_shape", kernel_shape},
               {"ceil_mode", ceil_mode},
               {"count_include_pad", count_include_pad},
               {"pads", pads},
               {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset11::bitshift(const std::vector<TensorId>& args, const std::string& direction,
                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::BitShift_11, "bitshift", args, 1, {{"direction", direction}},
              debugContext)[0];
}

TensorId AiOnnxOpset11::clip(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Clip_11, "clip", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::compress(const std::vector<TensorId>& args,
                                 nonstd::optional<std::int64_t> axis,
                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::Compress_11, "compress", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset11::concat(const std::vector<TensorId>& args, std::int64_t axis,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Concat_11, "concat", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset11::concatfromsequence(const std::vector<TensorId>& args, std::int64_t axis,
                                           std::int64_t new_axis,
                                           const DebugContext& debugContext) {
  return call(Onnx::Operators::ConcatFromSequence_11, "concatfromsequence", args, 1,
              {{"axis", axis}, {"new_axis", new_axis}}, debugContext)[0];
}

TensorId AiOnnxOpset11::constant(const ConstVoidData& value, bool,
                                 const DebugContext& debugContext) {
  return addConstant(value, debugContext);
}

TensorId AiOnnxOpset11::conv(const std::vector<TensorId>& args,
                             const std::vector<std::int64_t>& dilations, std::int64_t group,
                             const std::vector<std::int64_t>& kernel_shape,
                             const std::vector<std::int64_t>& pads,
                             const std::vector<std::int64_t>& strides,
                             const DebugContext& debugContext) {
  return call(Onnx::Operators::Conv_11, "conv", args, 1,
              {{"dilations", dilations},
               {"group", group},
               {"kernel_shape", kernel_shape},
               {"pads", pads},
               {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset11::convtranspose(
    const std::vector<TensorId>& args, const std::vector<std::int64_t>& dilations,
    std::int64_t group, const std::vector<std::int64_t>& kernel_shape,
    const std::vector<std::int64_t>& output_padding, const std::vector<std::int64_t>& output_shape,
    const std::vector<std::int64_t>& pads, const std::vector<std::int64_t>& strides,
    const DebugContext& debugContext) {
  return call(Onnx::Operators::ConvTranspose_11, "convtranspose", args, 1,
              {{"dilations", dilations},
               {"group", group},
               {"kernel_shape", kernel_shape},
               {"output_padding", output_padding},
               {"output_shape", output_shape},
               {"pads", pads},
               {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset11::cumsum(const std::vector<TensorId>& args, std::int64_t exclusive,
                               std::int64_t reverse, const DebugContext& debugContext) {
  return call(Onnx::Operators::CumSum_11, "cumsum", args, 1,
              {{"exclusive", exclusive}, {"reverse", reverse}}, debugContext)[0];
}

TensorId AiOnnxOpset11::depthtospace(const std::vector<TensorId>& args, std::int64_t blocksize,
                                     const std::string& mode, const DebugContext& debugContext) {
  return call(Onnx::Operators::DepthToSpace_11, "depthtospace", args, 1,
              {{"blocksize", blocksize}, {"mode", mode}}, debugContext)[0];
}

TensorId AiOnnxOpset11::det(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Det_11, "det", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset11::dynamicquantizelinear(const std::vector<TensorId>& args,
                                                           const DebugContext& debugContext) {
  return call(Onnx::Operators::DynamicQuantizeLinear_11, "dynamicquantizelinear", args, 1, {},
              debugContext);
}

TensorId AiOnnxOpset11::equal(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Equal_11, "equal", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::flatten(const std::vector<TensorId>& args, std::int64_t axis,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Flatten_11, "flatten", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset11::gather(const std::vector<TensorId>& args, std::int64_t axis,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Gather_11, "gather", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset11::gatherelements(const std::vector<TensorId>& args, std::int64_t axis,
                                       const DebugContext& debugContext) {
  return call(Onnx::Operators::GatherElements_11, "gatherelements", args, 1, {{"axis", axis}},
              debugContext)[0];
}

TensorId AiOnnxOpset11::gathernd(const std::vector<TensorId>& args,
                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::GatherND_11, "gathernd", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::gemm(const std::vector<TensorId>& args, float alpha, float beta,
                             std::int64_t transA, std::int64_t transB,
                             const DebugContext& debugContext) {
  return call(Onnx::Operators::Gemm_11, "gemm", args, 1,
              {{"alpha", alpha}, {"beta", beta}, {"transA", transA}, {"transB", transB}},
              debugContext)[0];
}

TensorId AiOnnxOpset11::hardmax(const std::vector<TensorId>& args, std::int64_t axis,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Hardmax_11, "hardmax", args, 1, {{"axis", axis}}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset11::logical_if(const std::vector<TensorId>&, unsigned,
                                                const Builder&, const Builder&,
                                                const DebugContext&) {
  absent("aiOnnx.logical_if");
}

TensorId AiOnnxOpset11::logsoftmax(const std::vector<TensorId>& args, std::int64_t axis,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::LogSoftmax_11, "logsoftmax", args, 1, {{"axis", axis}},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset11::loop(const std::vector<TensorId>&, unsigned, const Builder&,
                                          const DebugContext&) {
  absent("aiOnnx.loop");
}

TensorId AiOnnxOpset11::lppool(const std::vector<TensorId>& args,
                               const std::vector<std::int64_t>& kernel_shape, std::int64_t p,
                               const std::vector<std::int64_t>& pads,
                               const std::vector<std::int64_t>& strides,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::LpPool_11, "lppool", args, 1,
              {{"kernel_shape", kernel_shape}, {"p", p}, {"pads", pads}, {"strides", strides}},
              debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset11::maxpool(
    const std::vector<TensorId>& args, unsigned num_outputs,
    const std::vector<std::int64_t>& kernel_shape, std::int64_t ceil_mode,
    const std::vector<std::int64_t>& dilations, const std::vector<std::int64_t>& pads,
    std::int64_t storage_order, const std::vector<std::int64_t>& strides,
    const DebugContext& debugContext) {
  return call(Onnx::Operators::MaxPool_11, "maxpool", args, num_outputs,
              {{"kernel_shape", kernel_shape},
               {"ceil_mode", ceil_mode},
               {"dilations", dilations},
               {"pads", pads},
               {"storage_order", storage_order},
               {"strides", strides}},
              debugContext);
}

TensorId AiOnnxOpset11::maxunpool(const std::vector<TensorId>& args,
                                  const std::vector<std::int64_t>& kernel_shape,
                                  const std::vector<std::int64_t>& pads,
                                  const std::vector<std::int64_t>& strides,
                                  const DebugContext& debugContext) {
  return call(Onnx::Operators::MaxUnpool_11, "maxunpool", args, 1,
              {{"kernel_shape", kernel_shape}, {"pads", pads}, {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset11::nonmaxsuppression(const std::vector<TensorId>& args,
                                          std::int64_t center_point_box,
                                          const DebugContext& debugContext) {
  return call(Onnx::Operators::NonMaxSuppression_11, "nonmaxsuppression", args, 1,
              {{"center_point_box", center_point_box}}, debugContext)[0];
}

TensorId AiOnnxOpset11::onehot(const std::vector<TensorId>& args, std::int64_t axis,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::OneHot_11, "onehot", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset11::pad(const std::vector<TensorId>& args, const std::string& mode,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Pad_11, "pad", args, 1, {{"mode", mode}}, debugContext)[0];
}

TensorId AiOnnxOpset11::range(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Range_11, "range", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::reducel1(const std::vector<TensorId>& args,
                                 nonstd::optional<std::vector<std::int64_t>> axes,
                                 std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceL1_11, "reducel1", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::reducel2(const std::vector<TensorId>& args,
                                 nonstd::optional<std::vector<std::int64_t>> axes,
                                 std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceL2_11, "reducel2", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::reducelogsum(const std::vector<TensorId>& args,
                                     nonstd::optional<std::vector<std::int64_t>> axes,
                                     std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceLogSum_11, "reducelogsum", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::reducelogsumexp(const std::vector<TensorId>& args,
                                        nonstd::optional<std::vector<std::int64_t>> axes,
                                        std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceLogSumExp_11, "reducelogsumexp", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::reducemax(const std::vector<TensorId>& args,
                                  nonstd::optional<std::vector<std::int64_t>> axes,
                                  std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceMax_11, "reducemax", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::reducemean(const std::vector<TensorId>& args,
                                   nonstd::optional<std::vector<std::int64_t>> axes,
                                   std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceMean_11, "reducemean", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::reducemin(const std::vector<TensorId>& args,
                                  nonstd::optional<std::vector<std::int64_t>> axes,
                                  std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceMin_11, "reducemin", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::reduceprod(const std::vector<TensorId>& args,
                                   nonstd::optional<std::vector<std::int64_t>> axes,
                                   std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceProd_11, "reduceprod", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::reducesum(const std::vector<TensorId>& args,
                                  nonstd::optional<std::vector<std::int64_t>> axes,
                                  std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceSum_11, "reducesum", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::reducesumsquare(const std::vector<TensorId>& args,
                                        nonstd::optional<std::vector<std::int64_t>> axes,
                                        std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::ReduceSumSquare_11, "reducesumsquare", args, 1,
              {{"axes", axes}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::resize(const std::vector<TensorId>& args,
                               const std::string& coordinate_transformation_mode,
                               float cubic_coeff_a, std::int64_t exclude_outside,
                               float extrapolation_value, const std::string& mode,
                               const std::string& nearest_mode, const DebugContext& debugContext) {
  return call(Onnx::Operators::Resize_11, "resize", args, 1,
              {{"coordinate_transformation_mode", coordinate_transformation_mode},
               {"cubic_coeff_a", cubic_coeff_a},
               {"exclude_outside", exclude_outside},
               {"extrapolation_value", extrapolation_value},
               {"mode", mode},
               {"nearest_mode", nearest_mode}},
              debugContext)[0];
}

TensorId AiOnnxOpset11::round(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Round_11, "round", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset11::scan(const std::vector<TensorId>&, unsigned, const Builder&,
                                          std::int64_t, const std::vector<std::int64_t>&,
                                          const std::vector<std::int64_t>&,
                                          const std::vector<std::int64_t>&,
                                          const std::vector<std::int64_t>&, const DebugContext&) {
  absent("aiOnnx.scan");
}

TensorId AiOnnxOpset11::scatter(const std::vector<TensorId>& args, std::int64_t axis,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Scatter_11, "scatter", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset11::scatterelements(const std::vector<TensorId>& args, std::int64_t axis,
                                        const DebugContext& debugContext) {
  return call(Onnx::Operators::ScatterElements_11, "scatterelements", args, 1, {{"axis", axis}},
              debugContext)[0];
}

TensorId AiOnnxOpset11::scatternd(const std::vector<TensorId>& args,
                                  const DebugContext& debugContext) {
  return call(Onnx::Operators::ScatterND_11, "scatternd", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::sequenceat(const std::vector<TensorId>& args,
                                   const DebugContext& debugContext) {
  return call(Onnx::Operators::SequenceAt_11, "sequenceat", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::sequenceconstruct(const std::vector<TensorId>& args,
                                          const DebugContext& debugContext) {
  return call(Onnx::Operators::SequenceConstruct_11, "sequenceconstruct", args, 1, {},
              debugContext)[0];
}

TensorId AiOnnxOpset11::sequenceempty(nonstd::optional<std::int64_t>, const DebugContext&) {
  absent("aiOnnx.sequenceempty");
}

TensorId AiOnnxOpset11::sequenceerase(const std::vector<TensorId>& args,
                                      const DebugContext& debugContext) {
  return call(Onnx::Operators::SequenceErase_11, "sequenceerase", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::sequenceinsert(const std::vector<TensorId>& args,
                                       const DebugContext& debugContext) {
  return call(Onnx::Operators::SequenceInsert_11, "sequenceinsert", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::sequencelength(const std::vector<TensorId>& args,
                                       const DebugContext& debugContext) {
  return call(Onnx::Operators::SequenceLength_11, "sequencelength", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::slice(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Slice_11, "slice", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset11::softmax(const std::vector<TensorId>& args, std::int64_t axis,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Softmax_11, "softmax", args, 1, {{"axis", axis}}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset11::split(const std::vector<TensorId>& args, unsigned num_outputs,
                                           std::int64_t axis,
                                           const std::vector<std::int64_t>& split,
                                           const DebugContext& debugContext) {
  return call(Onnx::Operators::Split_11, "split", args, num_outputs,
              {{"axis", axis}, {"split", split}}, debugContext);
}

TensorId AiOnnxOpset11::splittosequence(const std::vector<TensorId>& args, std::int64_t axis,
                                        std::int64_t keepdims, const DebugContext& debugContext) {
  return call(Onnx::Operators::SplitToSequence_11, "splittosequence", args, 1,
              {{"axis", axis}, {"keepdims", keepdims}}, debugContext)[0];
}

TensorId AiOnnxOpset11::squeeze(const std::vector<TensorId>& args,
                                const std::vector<std::int64_t>& axes,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Squeeze_11, "squeeze", args, 1, {{"axes", axes}}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset11::topk(const std::vector<TensorId>& args, std::int64_t axis,
                                          std::int64_t largest, std::int64_t sorted,
                                          const DebugContext& debugContext) {
  return call(Onnx::Operators::TopK_11, "topk", args, 1,
              {{"axis", axis}, {"largest", largest}, {"sorted", sorted}}, debugContext);
}

std::vector<TensorId> AiOnnxOpset11::unique(const std::vector<TensorId>& args, unsigned num_outputs,
                                            nonstd::optional<std::int64_t> axis,
                                            std::int64_t sorted, const DebugContext& debugContext) {
  return call(Onnx::Operators::Unique_11, "unique", args, num_outputs,
              {{"axis", axis}, {"sorted", sorted}}, debugContext);
}

TensorId AiOnnxOpset11::unsqueeze(const std::vector<TensorId>& args,
                                  const std::vector<std::int64_t>& axes,
                                  const DebugContext& debugContext) {
  return call(Onnx::Operators::Unsqueeze_11, "unsqueeze", args, 1, {{"axes", axes}},
              debugContext)[0];
}

}  // namespace popart
