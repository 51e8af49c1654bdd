// The operators of opset 9 of ONNX; popart/onnxoperators.gen.hpp includes this.
#ifndef popart_emulator_onnxopset9_hpp
#define popart_emulator_onnxopset9_hpp

#include <popart/onnxoperators.gen.hpp>

namespace popart {
namespace Onnx {
namespace AiOnnx {
namespace OpSet9 {

static constexpr const OperatorIdentifier& Abs = Operators::Abs_6;
static constexpr const OperatorIdentifier& Acos = Operators::Acos_7;
static constexpr const OperatorIdentifier& Acosh = Operators::Acosh_9;
static constexpr const OperatorIdentifier& Add = Operators::Add_7;
static constexpr const OperatorIdentifier& And = Operators::And_7;
static constexpr const OperatorIdentifier& ArgMax = Operators::ArgMax_1;
static constexpr const OperatorIdentifier& ArgMin = Operators::ArgMin_1;
static constexpr const OperatorIdentifier& Asin = Operators::Asin_7;
static constexpr const OperatorIdentifier& Asinh = Operators::Asinh_9;
static constexpr const OperatorIdentifier& Atan = Operators::Atan_7;
static constexpr const OperatorIdentifier& Atanh = Operators::Atanh_9;
static constexpr const OperatorIdentifier& AveragePool = Operators::AveragePool_7;
static constexpr const OperatorIdentifier& BatchNormalization = Operators::BatchNormalization_9;
static constexpr const OperatorIdentifier& Cast = Operators::Cast_9;
static constexpr const OperatorIdentifier& Ceil = Operators::Ceil_6;
static constexpr const OperatorIdentifier& Clip = Operators::Clip_6;
static constexpr const OperatorIdentifier& Compress = Operators::Compress_9;
static constexpr const OperatorIdentifier& Concat = Operators::Concat_4;
static constexpr const OperatorIdentifier& Constant = Operators::Constant_9;
static constexpr const OperatorIdentifier& ConstantOfShape = Operators::ConstantOfShape_9;
static constexpr const OperatorIdentifier& Conv = Operators::Conv_1;
static constexpr const OperatorIdentifier& ConvTranspose = Operators::ConvTranspose_1;
static constexpr const OperatorIdentifier& Cos = Operators::Cos_7;
static constexpr const OperatorIdentifier& Cosh = Operators::Cosh_9;
static constexpr const OperatorIdentifier& DepthToSpace = Operators::DepthToSpace_1;
static constexpr const OperatorIdentifier& Div = Operators::Div_7;
static constexpr const OperatorIdentifier& Dropout = Operators::Dropout_7;
static constexpr const OperatorIdentifier& Elu = Operators::Elu_6;
static constexpr const OperatorIdentifier& Equal = Operators::Equal_7;
static constexpr const OperatorIdentifier& Erf = Operators::Erf_9;
static constexpr const OperatorIdentifier& Exp = Operators::Exp_6;
static constexpr const OperatorIdentifier& Expand = Operators::Expand_8;
static constexpr const OperatorIdentifier& EyeLike = Operators::EyeLike_9;
static constexpr const OperatorIdentifier& Flatten = Operators::Flatten_9;
static constexpr const OperatorIdentifier& Floor = Operators::Floor_6;
static constexpr const OperatorIdentifier& GRU = Operators::GRU_7;
static constexpr const OperatorIdentifier& Gather = Operators::Gather_1;
static constexpr const OperatorIdentifier& Gemm = Operators::Gemm_9;
static constexpr const OperatorIdentifier& GlobalAveragePool = Operators::GlobalAveragePool_1;
static constexpr const OperatorIdentifier& GlobalLpPool = Operators::GlobalLpPool_2;
static constexpr const OperatorIdentifier& GlobalMaxPool = Operators::GlobalMaxPool_1;
static constexpr const OperatorIdentifier& Greater = Operators::Greater_9;
static constexpr const OperatorIdentifier& HardSigmoid = Operators::HardSigmoid_6;
static constexpr const OperatorIdentifier& Hardmax = Operators::Hardmax_1;
static constexpr const OperatorIdentifier& Identity = Operators::Identity_1;
static constexpr const OperatorIdentifier& If = Operators::If_1;
static constexpr const OperatorIdentifier& InstanceNormalization =
    Operators::InstanceNormalization_6;
static constexpr const OperatorIdentifier& IsNaN = Operators::IsNaN_9;
static constexpr const OperatorIdentifier& LRN = Operators::LRN_1;
static constexpr const OperatorIdentifier& LSTM = Operators::LSTM_7;
static constexpr const OperatorIdentifier& LeakyRelu = Operators::LeakyRelu_6;
static constexpr const OperatorIdentifier& Less = Operators::Less_9;
static constexpr const OperatorIdentifier& Log = Operators::Log_6;
static constexpr const OperatorIdentifier& LogSoftmax = Operators::LogSoftmax_1;
static constexpr const OperatorIdentifier& Loop = Operators::Loop_1;
static constexpr const OperatorIdentifier& LpNormalization = Operators::LpNormalization_1;
static constexpr const OperatorIdentifier& LpPool = Operators::LpPool_2;
static constexpr const OperatorIdentifier& MatMul = Operators::MatMul_9;
static constexpr const OperatorIdentifier& Max = Operators::Max_8;
static constexpr const OperatorIdentifier& MaxPool = Operators::MaxPool_8;
static constexpr const OperatorIdentifier& MaxRoiPool = Operators::MaxRoiPool_1;
static constexpr const OperatorIdentifier& MaxUnpool = Operators::MaxUnpool_9;
static constexpr const OperatorIdentifier& Mean = Operators::Mean_8;
static constexpr const OperatorIdentifier& MeanVarianceNormalization =
    Operators::MeanVarianceNormalization_9;
static constexpr const OperatorIdentifier& Min = Operators::Min_8;
static constexpr const OperatorIdentifier& Mul = Operators::Mul_7;
static constexpr const OperatorIdentifier& Multinomial = Operators::Multinomial_7;
static constexpr const OperatorIdentifier& Neg = Operators::Neg_6;
static constexpr const OperatorIdentifier& NonZero = Operators::NonZero_9;
static constexpr const OperatorIdentifier& Not = Operators::Not_1;
static constexpr const OperatorIdentifier& OneHot = Operators::OneHot_9;
static constexpr const OperatorIdentifier& Or = Operators::Or_7;
static constexpr const OperatorIdentifier& PRelu = Operators::PRelu_9;
static constexpr const OperatorIdentifier& Pad = Operators::Pad_2;
static constexpr const OperatorIdentifier& Pow = Operators::Pow_7;
static constexpr const OperatorIdentifier& RNN = Operators::RNN_7;
static constexpr const OperatorIdentifier& RandomNormal = Operators::RandomNormal_1;
static constexpr const OperatorIdentifier& RandomNormalLike = Operators::RandomNormalLike_1;
static constexpr const OperatorIdentifier& RandomUniform = Operators::RandomUniform_1;
static constexpr const OperatorIdentifier& RandomUniformLike = Operators::RandomUniformLike_1;
static constexpr const OperatorIdentifier& Reciprocal = Operators::Reciprocal_6;
static constexpr const OperatorIdentifier& ReduceL1 = Operators::ReduceL1_1;
static constexpr const OperatorIdentifier& ReduceL2 = Operators::ReduceL2_1;
static constexpr const OperatorIdentifier& ReduceLogSum = Operators::ReduceLogSum_1;
static constexpr const OperatorIdentifier& ReduceLogSumExp = Operators::ReduceLogSumExp_1;
static constexpr const OperatorIdentifier& ReduceMax = Operators::ReduceMax_1;
static constexpr const OperatorIdentifier& ReduceMean = Operators::ReduceMean_1;
static constexpr const OperatorIdentifier& ReduceMin = Operators::ReduceMin_1;
static constexpr const OperatorIdentifier& ReduceProd = Operators::ReduceProd_1;
static constexpr const OperatorIdentifier& ReduceSum = Operators::ReduceSum_1;
static constexpr const OperatorIdentifier& ReduceSumSquare = Operators::ReduceSumSquare_1;
static constexpr const OperatorIdentifier& Relu = Operators::Relu_6;
static constexpr const OperatorIdentifier& Reshape = Operators::Reshape_5;
static constexpr const OperatorIdentifier& Scan = Operators::Scan_9;
static constexpr const OperatorIdentifier& Scatter = Operators::Scatter_9;
static constexpr const OperatorIdentifier& Selu = Operators::Selu_6;
static constexpr const OperatorIdentifier& Shape = Operators::Shape_1;
static constexpr const OperatorIdentifier& Shrink = Operators::Shrink_9;
static constexpr const OperatorIdentifier& Sigmoid = Operators::Sigmoid_6;
static constexpr const OperatorIdentifier& Sign = Operators::Sign_9;
static constexpr const OperatorIdentifier& Sin = Operators::Sin_7;
static constexpr const OperatorIdentifier& Sinh = Operators::Sinh_9;
static constexpr const OperatorIdentifier& Size = Operators::Size_1;
static constexpr const OperatorIdentifier& Slice = Operators::Slice_1;
static constexpr const OperatorIdentifier& Softmax = Operators::Softmax_1;
static constexpr const OperatorIdentifier& Softplus = Operators::Softplus_1;
static constexpr const OperatorIdentifier& Softsign = Operators::Softsign_1;
static constexpr const OperatorIdentifier& SpaceToDepth = Operators::SpaceToDepth_1;
static constexpr const OperatorIdentifier& Split = Operators::Split_2;
static constexpr const OperatorIdentifier& Sqrt = Operators::Sqrt_6;
static constexpr const OperatorIdentifier& Squeeze = Operators::Squeeze_1;
static constexpr const OperatorIdentifier& Sub = Operators::Sub_7;
static constexpr const OperatorIdentifier& Sum = Operators::Sum_8;
static constexpr const OperatorIdentifier& Tan = Operators::Tan_7;
static constexpr const OperatorIdentifier& Tanh = Operators::Tanh_6;
static constexpr const OperatorIdentifier& TfIdfVectorizer = Operators::TfIdfVectorizer_9;
static constexpr const OperatorIdentifier& Tile = Operators::Tile_6;
static constexpr const OperatorIdentifier& TopK = Operators::TopK_1;
static constexpr const OperatorIdentifier& Transpose = Operators::Transpose_1;
static constexpr const OperatorIdentifier& Unsqueeze = Operators::Unsqueeze_1;
static constexpr const OperatorIdentifier& Upsample = Operators::Upsample_9;
static constexpr const OperatorIdentifier& Where = Operators::Where_9;
static constexpr const OperatorIdentifier& Xor = Operators::Xor_7;

}  // namespace OpSet9
}  // namespace AiOnnx
}  // namespace Onnx
}  // namespace popart

#endif  // popart_emulator_onnxopset9_hpp
