// The methods of opset 8 of ONNX; popart/builder.gen.hpp includes this.
#ifndef popart_emulator_onnxbuilder8_hpp
#define popart_emulator_onnxbuilder8_hpp

#include <popart/emulator/onnxbuilder7.hpp>

namespace popart {

class AiOnnxOpset8 : protected AiOnnxOpset7 {
 public:
  explicit AiOnnxOpset8(Builder& builder) : AiOnnxOpset7(builder) {}
  int getOpsetVersion() const override { return 8; }

  using AiOnnxOpset7::abs;
  using AiOnnxOpset7::acos;
  using AiOnnxOpset7::add;
  using AiOnnxOpset7::argmax;
  using AiOnnxOpset7::argmin;
  using AiOnnxOpset7::asin;
  using AiOnnxOpset7::atan;
  using AiOnnxOpset7::averagepool;
  using AiOnnxOpset7::batchnormalization;
  using AiOnnxOpset7::cast;
  using AiOnnxOpset7::ceil;
  using AiOnnxOpset7::clip;
  using AiOnnxOpset7::concat;
  using AiOnnxOpset7::constant;
  using AiOnnxOpset7::conv;
  using AiOnnxOpset7::convtranspose;
  using AiOnnxOpset7::cos;
  using AiOnnxOpset7::depthtospace;
  using AiOnnxOpset7::div;
  using AiOnnxOpset7::dropout;
  using AiOnnxOpset7::elu;
  using AiOnnxOpset7::equal;
  using AiOnnxOpset7::exp;
  using AiOnnxOpset7::flatten;
  using AiOnnxOpset7::floor;
  using AiOnnxOpset7::gather;
  using AiOnnxOpset7::gemm;
  using AiOnnxOpset7::globalaveragepool;
  using AiOnnxOpset7::globallppool;
  using AiOnnxOpset7::globalmaxpool;
  using AiOnnxOpset7::greater;
  using AiOnnxOpset7::gru;
  using AiOnnxOpset7::hardmax;
  using AiOnnxOpset7::hardsigmoid;
  using AiOnnxOpset7::identity;
  using AiOnnxOpset7::instancenormalization;
  using AiOnnxOpset7::leakyrelu;
  using AiOnnxOpset7::less;
  using AiOnnxOpset7::log;
  using AiOnnxOpset7::logical_and;
  using AiOnnxOpset7::logical_if;
  using AiOnnxOpset7::logical_not;
  using AiOnnxOpset7::logical_or;
  using AiOnnxOpset7::logical_xor;
  using AiOnnxOpset7::logsoftmax;
  using AiOnnxOpset7::loop;
  using AiOnnxOpset7::lpnormalization;
  using AiOnnxOpset7::lppool;
  using AiOnnxOpset7::lrn;
  using AiOnnxOpset7::lstm;
  using AiOnnxOpset7::matmul;
  using AiOnnxOpset7::maxroipool;
  using AiOnnxOpset7::mul;
  using AiOnnxOpset7::multinomial;
  using AiOnnxOpset7::neg;
  using AiOnnxOpset7::pad;
  using AiOnnxOpset7::pow;
  using AiOnnxOpset7::prelu;
  using AiOnnxOpset7::randomnormal;
  using AiOnnxOpset7::randomnormallike;
  using AiOnnxOpset7::randomuniform;
  using AiOnnxOpset7::randomuniformlike;
  using AiOnnxOpset7::reciprocal;
  using AiOnnxOpset7::reducel1;
  using AiOnnxOpset7::reducel2;
  using AiOnnxOpset7::reducelogsum;
  using AiOnnxOpset7::reducelogsumexp;
  using AiOnnxOpset7::reducemax;
  using AiOnnxOpset7::reducemean;
  using AiOnnxOpset7::reducemin;
  using AiOnnxOpset7::reduceprod;
  using AiOnnxOpset7::reducesum;
  using AiOnnxOpset7::reducesumsquare;
  using AiOnnxOpset7::relu;
  using AiOnnxOpset7::reshape;
  using AiOnnxOpset7::rnn;
  using AiOnnxOpset7::selu;
  using AiOnnxOpset7::shape;
  using AiOnnxOpset7::sigmoid;
  using AiOnnxOpset7::sin;
  using AiOnnxOpset7::size;
  using AiOnnxOpset7::slice;
  using AiOnnxOpset7::softmax;
  using AiOnnxOpset7::softplus;
  using AiOnnxOpset7::softsign;
  using AiOnnxOpset7::spacetodepth;
  using AiOnnxOpset7::split;
  using AiOnnxOpset7::sqrt;
  using AiOnnxOpset7::squeeze;
  using AiOnnxOpset7::sub;
  using AiOnnxOpset7::tan;
  using AiOnnxOpset7::tanh;
  using AiOnnxOpset7::tile;
  using AiOnnxOpset7::topk;
  using AiOnnxOpset7::transpose;
  using AiOnnxOpset7::unsqueeze;
  using AiOnnxOpset7::upsample;

  TensorId expand(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId max(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> maxpool(
      const std::vector<TensorId>& args, unsigned num_outputs,
      const std::vector<std::int64_t>& kernel_shape,
      const std::vector<std::int64_t>& pads = std::vector<std::int64_t>(),
      std::int64_t storage_order = 0,
      const std::vector<std::int64_t>& strides = std::vector<std::int64_t>(),
      const DebugContext& debugContext = {});
  TensorId mean(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  TensorId min(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
  std::vector<TensorId> scan(
      const std::vector<TensorId>& args, unsigned num_outputs, const Builder& body,
      std::int64_t num_scan_inputs,
      const std::vector<std::int64_t>& directions = std::vector<std::int64_t>(),
      const DebugContext& debugContext = {});
  TensorId sum(const std::vector<TensorId>& args, const DebugContext& debugContext = {});
};

}  // namespace popart

#endif  // popart_emulator_onnxbuilder8_hpp
