#include <popart/emulator/onnxbuilder9.hpp>
#include <popart/operators.hpp>

namespace popart {

TensorId AiOnnxOpset9::acosh(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Acosh_9, "acosh", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::asinh(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Asinh_9, "asinh", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::atanh(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Atanh_9, "atanh", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset9::batchnormalization(const std::vector<TensorId>& args,
                                                       unsigned num_outputs, float epsilon,
                                                       float momentum,
                                                       const DebugContext& debugContext) {
  return call(Onnx::Operators::BatchNormalization_9, "batchnormalization", args, num_outputs,
              {{"epsilon", epsilon}, {"momentum", momentum}}, debugContext);
}

TensorId AiOnnxOpset9::cast(const std::vector<TensorId>& args, const std::string& to,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Cast_9, "cast", args, 1, {{"to", to}}, debugContext)[0];
}

TensorId AiOnnxOpset9::compress(const std::vector<TensorId>& args,
                                nonstd::optional<std::int64_t> axis,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Compress_9, "compress", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset9::constant(const ConstVoidData& value, const DebugContext& debugContext) {
  return addConstant(value, debugContext);
}

TensorId AiOnnxOpset9::constantofshape(const std::vector<TensorId>&, const ConstVoidData&,
                                       const DebugContext&) {
  absent("aiOnnx.constantofshape");
}

TensorId AiOnnxOpset9::cosh(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Cosh_9, "cosh", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::erf(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Erf_9, "erf", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::eyelike(const std::vector<TensorId>& args,
                               nonstd::optional<std::int64_t> dtype, std::int64_t k,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::EyeLike_9, "eyelike", args, 1, {{"dtype", dtype}, {"k", k}},
              debugContext)[0];
}

TensorId AiOnnxOpset9::flatten(const std::vector<TensorId>& args, std::int64_t axis,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Flatten_9, "flatten", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset9::gemm(const std::vector<TensorId>& args, float alpha, float beta,
                            std::int64_t transA, std::int64_t transB,
                            const DebugContext& debugContext) {
  return call(Onnx::Operators::Gemm_9, "gemm", args, 1,
              {{"alpha", alpha}, {"beta", beta}, {"transA", transA}, {"transB", transB}},
              debugContext)[0];
}

TensorId AiOnnxOpset9::greater(const std::vector<TensorId>& args,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Greater_9, "greater", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::isnan(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::IsNaN_9, "isnan", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::less(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Less_9, "less", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::matmul(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::MatMul_9, "matmul", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::maxunpool(const std::vector<TensorId>& args,
                                 const std::vector<std::int64_t>& kernel_shape,
                                 const std::vector<std::int64_t>& pads,
                                 const std::vector<std::int64_t>& strides,
                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::MaxUnpool_9, "maxunpool", args, 1,
              {{"kernel_shape", kernel_shape}, {"pads", pads}, {"strides", strides}},
              debugContext)[0];
}

TensorId AiOnnxOpset9::meanvariancenormalization(const std::vector<TensorId>& args,
                                                 const std::vector<std::int64_t>& axes,
                                                 const DebugContext& debugContext) {
  return call(Onnx::Operators::MeanVarianceNormalization_9, "meanvariancenormalization", args, 1,
              {{"axes", axes}}, debugContext)[0];
}

TensorId AiOnnxOpset9::nonzero(const std::vector<TensorId>& args,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::NonZero_9, "nonzero", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::onehot(const std::vector<TensorId>& args, std::int64_t axis,
                              const DebugContext& debugContext) {
  return call(Onnx::Operators::OneHot_9, "onehot", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset9::prelu(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::PRelu_9, "prelu", args, 1, {}, debugContext)[0];
}

std::vector<TensorId> AiOnnxOpset9::scan(const std::vector<TensorId>&, unsigned, const Builder&,
                                         std::int64_t, const std::vector<std::int64_t>&,
                                         const std::vector<std::int64_t>&,
                                         const std::vector<std::int64_t>&,
                                         const std::vector<std::int64_t>&, const DebugContext&) {
  absent("aiOnnx.scan");
}

TensorId AiOnnxOpset9::scatter(const std::vector<TensorId>& args, std::int64_t axis,
                               const DebugContext& debugContext) {
  return call(Onnx::Operators::Scatter_9, "scatter", args, 1, {{"axis", axis}}, debugContext)[0];
}

TensorId AiOnnxOpset9::shrink(const std::vector<TensorId>& args, float bias, float lambd,
                              const DebugContext& debugContext) {
  return call(Onnx::Operators::Shrink_9, "shrink", args, 1, {{"bias", bias}, {"lambd", lambd}},
              debugContext)[0];
}

TensorId AiOnnxOpset9::sign(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Sign_9, "sign", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::sinh(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Sinh_9, "sinh", args, 1, {}, debugContext)[0];
}

TensorId AiOnnxOpset9::tfidfvectorizer(
    const std::vector<TensorId>& args, std::int64_t max_gram_length, std::int64_t max_skip_count,
    std::int64_t min_gram_length, const std::string& mode,
    const std::vector<std::int64_t>& ngram_counts, const std::vector<std::int64_t>& ngram_indexes,
    const std::vector<std::int64_t>& pool_int64s, const std::vector<std::string>& pool_strings,
    const std::vector<float>& weights, const DebugContext& debugContext) {
  return call(Onnx::Operators::TfIdfVectorizer_9, "tfidfvectorizer", args, 1,
              {{"max_gram_length", max_gram_length},
               {"max_skip_count", max_skip_count},
               {"min_gram_length", min_gram_length},
               {"mode", mode},
               {"ngram_counts", ngram_counts},
               {"ngram_indexes", ngram_indexes},
               {"pool_int64s", pool_int64s},
               {"pool_strings", pool_strings},
               {"weights", weights}},
              debugContext)[0];
}

TensorId AiOnnxOpset9::upsample(const std::vector<TensorId>& args, const std::string& mode,
                                const DebugContext& debugContext) {
  return call(Onnx::Operators::Upsample_9, "upsample", args, 1, {{"mode", mode}}, debugContext)[0];
}

TensorId AiOnnxOpset9::where(const std::vector<TensorId>& args, const DebugContext& debugContext) {
  return call(Onnx::Operators::Where_9, "where", args, 1, {}, debugContext)[0];
}

}  // namespace popart
