// The operators of opset 11 of ONNX; popart/onnxoperators.gen.hpp includes this.
#ifndef popart_emulator_onnxopset11_hpp
#define popart_emulator_onnxopset11_hpp

#include <popart/onnxoperators.gen.hpp>

namespace popart {
namespace Onnx {
namespace AiOnnx {
namespace OpSet11 {

static constexpr const OperatorIdentifier& Abs = Operators::Abs_6;
static constexpr const OperatorIdentifier& Acos = Operators::Acos_7;
static constexpr const OperatorIdentifier& Acosh = Operators::Acosh_9;
static constexpr const OperatorIdentifier& Add = Operators::Add_7;
static constexpr const OperatorIdentifier& And = Operators::And_7;
static constexpr const OperatorIdentifier& ArgMax = Operators::ArgMax_11;
static constexpr const OperatorIdentifier& ArgMin = Operators::ArgMin_11;
static constexpr const OperatorIdentifier& Asin = Operators::Asin_7;
static constexpr const OperatorIdentifier& Asinh = Operators::Asinh_9;
static constexpr const OperatorIdentifier& Atan = Operators::Atan_7;
static constexpr const OperatorIdentifier& Atanh = Operators::Atanh_9;
static constexpr const OperatorIdentifier& AveragePool = Operators::AveragePool_11;
static constexpr const OperatorIdentifier& BatchNormalization = Operators::BatchNormalization_9;
static constexpr const OperatorIdentifier& BitShift = Operators::BitShift_11;
static constexpr const OperatorIdentifier& Cast = Operators::Cast_9;
static constexpr const OperatorIdentifier& Ceil = Operators::Ceil_6;
static constexpr const OperatorIdentifier& Clip = Operators::Clip_11;
static constexpr const OperatorIdentifier& Compress = Operators::Compress_11;
static constexpr const OperatorIdentifier& Concat = Operators::Concat_11;
static constexpr const OperatorIdentifier& ConcatFromSequence = Operators::ConcatFromSequence_11;
static constexpr const OperatorIdentifier& Constant = Operators::Constant_11;
static constexpr const OperatorIdentifier& ConstantOfShape = Operators::ConstantOfShape_9;
static constexpr const OperatorIdentifier& Conv = Operators::Conv_11;
static constexpr const OperatorIdentifier& ConvInteger = Operators::ConvInteger_10;
static constexpr const OperatorIdentifier& ConvTranspose = Operators::ConvTranspose_11;
static constexpr const OperatorIdentifier& Cos = Operators::Cos_7;
static constexpr const OperatorIdentifier& Cosh = Operators::Cosh_9;
static constexpr const OperatorIdentifier& CumSum = Operators::CumSum_11;
static constexpr const OperatorIdentifier& DepthToSpace = Operators::DepthToSpace_11;
static constexpr const OperatorIdentifier& DequantizeLinear = Operators::DequantizeLinear_10;
static constexpr const OperatorIdentifier& Det = Operators::Det_11;
static constexpr const OperatorIdentifier& Div = Operators::Div_7;
static constexpr const OperatorIdentifier& Dropout = Operators::Dropout_10;
static constexpr const OperatorIdentifier& DynamicQuantizeLinear =
    Operators::DynamicQuantizeLinear_11;
static constexpr const OperatorIdentifier& Elu = Operators::Elu_6;
static constexpr const OperatorIdentifier& Equal = Operators::Equal_11;
static constexpr const OperatorIdentifier& Erf = Operators::Erf_9;
static constexpr const OperatorIdentifier& Exp = Operators::Exp_6;
static constexpr const OperatorIdentifier& Expand = Operators::Expand_8;
static constexpr const OperatorIdentifier& EyeLike = Operators::EyeLike_9;
static constexpr const OperatorIdentifier& Flatten = Operators::Flatten_11;
static constexpr const OperatorIdentifier& Floor = Operators::Floor_6;
static constexpr const OperatorIdentifier& GRU = Operators::GRU_7;
static constexpr const OperatorIdentifier& Gather = Operators::Gather_11;
static constexpr const OperatorIdentifier& GatherElements = Operators::GatherElements_11;
static constexpr const OperatorIdentifier& GatherND = Operators::GatherND_11;
static constexpr const OperatorIdentifier& Gemm = Operators::Gemm_11;
static constexpr const OperatorIdentifier& GlobalAveragePool = Operators::GlobalAveragePool_1;
static constexpr const OperatorIdentifier& GlobalLpPool = Operators::GlobalLpPool_2;
static constexpr const OperatorIdentifier& GlobalMaxPool = Operators::GlobalMaxPool_1;
static constexpr const OperatorIdentifier& Greater = Operators::Greater_9;
static constexpr const OperatorIdentifier& HardSigmoid = Operators::HardSigmoid_6;
static constexpr const OperatorIdentifier& Hardmax = Operators::Hardmax_11;
static constexpr const OperatorIdentifier& Identity = Operators::Identity_1;
static constexpr const OperatorIdentifier& If = Operators::If_11;
static constexpr const OperatorIdentifier& InstanceNormalization =
    Operators::InstanceNormalization_6;
static constexpr const OperatorIdentifier& IsInf = Operators::IsInf_10;
static constexpr const OperatorIdentifier& IsNaN = Operators::IsNaN_9;
static constexpr const OperatorIdentifier& LRN = Operators::LRN_1;
static constexpr const OperatorIdentifier& LSTM = Operators::LSTM_7;
static constexpr const OperatorIdentifier& LeakyRelu = Operators::LeakyRelu_6;
static constexpr const OperatorIdentifier& Less = Operators::Less_9;
static constexpr const OperatorIdentifier& Log = Operators::Log_6;
static constexpr const OperatorIdentifier& LogSoftmax = Operators::LogSoftmax_11;
static constexpr const OperatorIdentifier& Loop = Operators::Loop_11;
static constexpr const OperatorIdentifier& LpNormalization = Operators::LpNormalization_1;
static constexpr const OperatorIdentifier& LpPool = Operators::LpPool_11;
static constexpr const OperatorIdentifier& MatMul = Operators::MatMul_9;
static constexpr const OperatorIdentifier& MatMulInteger = Operators::MatMulInteger_10;
static constexpr const OperatorIdentifier& Max = Operators::Max_8;
static constexpr const OperatorIdentifier& MaxPool = Operators::MaxPool_11;
static constexpr const OperatorIdentifier& MaxRoiPool = Operators::MaxRoiPool_1;
static constexpr const OperatorIdentifier& MaxUnpool = Operators::MaxUnpool_11;
static constexpr const OperatorIdentifier& Mean = Operators::Mean_8;
static constexpr const OperatorIdentifier& MeanVarianceNormalization =
    Operators::MeanVarianceNormalization_9;
static constexpr const OperatorIdentifier& Min = Operators::Min_8;
static constexpr const OperatorIdentifier& Mod = Operators::Mod_10;
static constexpr const OperatorIdentifier& Mul = Operators::Mul_7;
static constexpr const OperatorIdentifier& Multinomial = Operators::Multinomial_7;
static constexpr const OperatorIdentifier& Neg = Operators::Neg_6;
static constexpr const OperatorIdentifier& NonMaxSuppression = Operators::NonMaxSuppression_11;
static constexpr const OperatorIdentifier& NonZero = Operators::NonZero_9;
static constexpr const OperatorIdentifier& Not = Operators::Not_1;
static constexpr const OperatorIdentifier& OneHot = Operators::OneHot_11;
static constexpr const OperatorIdentifier& Or = Operators::Or_7;
static constexpr const OperatorIdentifier& PRelu = Operators::PRelu_9;
static constexpr const OperatorIdentifier& Pad = Operators::Pad_11;
static constexpr const OperatorIdentifier& Pow = Operators::Pow_7;
static constexpr const OperatorIdentifier& QLinearConv = Operators::QLinearConv_10;
static constexpr const OperatorIdentifier& QLinearMatMul = Operators::QLinearMatMul_10;
static constexpr const OperatorIdentifier& QuantizeLinear = Operators::QuantizeLinear_10;
static constexpr const OperatorIdentifier& RNN = Operators::RNN_7;
static constexpr const OperatorIdentifier& RandomNormal = Operators::RandomNormal_1;
static constexpr const OperatorIdentifier& RandomNormalLike = Operators::RandomNormalLike_1;
static constexpr const OperatorIdentifier& RandomUniform = Operators::RandomUniform_1;
static constexpr const OperatorIdentifier& RandomUniformLike = Operators::RandomUniformLike_1;
static constexpr const OperatorIdentifier& Range = Operators::Range_11;
static constexpr const OperatorIdentifier& Reciprocal = Operators::Reciprocal_6;
static constexpr const OperatorIdentifier& ReduceL1 = Operators::ReduceL1_11;
static constexpr const OperatorIdentifier& ReduceL2 = Operators::ReduceL2_11;
static constexpr const OperatorIdentifier& ReduceLogSum = Operators::ReduceLogSum_11;
static constexpr const OperatorIdentifier& ReduceLogSumExp = Operators::ReduceLogSumExp_11;
static constexpr const OperatorIdentifier& ReduceMax = Operators::ReduceMax_11;
static constexpr const OperatorIdentifier& ReduceMean = Operators::ReduceMean_11;
static constexpr const OperatorIdentifier& ReduceMin = Operators::ReduceMin_11;
static constexpr const OperatorIdentifier& ReduceProd = Operators::ReduceProd_11;
static constexpr const OperatorIdentifier& ReduceSum = Operators::ReduceSum_11;
static constexpr const OperatorIdentifier& ReduceSumSquare = Operators::ReduceSumSquare_11;
static constexpr const OperatorIdentifier& Relu = Operators::Relu_6;
static constexpr const OperatorIdentifier& Reshape = Operators::Reshape_5;
static constexpr const OperatorIdentifier& Resize = Operators::Resize_11;
static constexpr const OperatorIdentifier& ReverseSequence = Operators::ReverseSequence_10;
static constexpr const OperatorIdentifier& RoiAlign = Operators::RoiAlign_10;
static constexpr const OperatorIdentifier& Round = Operators::Round_11;
static constexpr const OperatorIdentifier& Scan = Operators::Scan_11;
static constexpr const OperatorIdentifier& Scatter = Operators::Scatter_11;
static constexpr const OperatorIdentifier& ScatterElements = Operators::ScatterElements_11;
static constexpr const OperatorIdentifier& ScatterND = Operators::ScatterND_11;
static constexpr const OperatorIdentifier& Selu = Operators::Selu_6;
static constexpr const OperatorIdentifier& SequenceAt = Operators::SequenceAt_11;
static constexpr const OperatorIdentifier& SequenceConstruct = Operators::SequenceConstruct_11;
static constexpr const OperatorIdentifier& SequenceEmpty = Operators::SequenceEmpty_11;
static constexpr const OperatorIdentifier& SequenceErase = Operators::SequenceErase_11;
static constexpr const OperatorIdentifier& SequenceInsert = Operators::SequenceInsert_11;
static constexpr const OperatorIdentifier& SequenceLength = Operators::SequenceLength_11;
static constexpr const OperatorIdentifier& Shape = Operators::Shape_1;
static constexpr const OperatorIdentifier& Shrink = Operators::Shrink_9;
static constexpr const OperatorIdentifier& Sigmoid = Operators::Sigmoid_6;
static constexpr const OperatorIdentifier& Sign = Operators::Sign_9;
static constexpr const OperatorIdentifier& Sin = Operators::Sin_7;
static constexpr const OperatorIdentifier& Sinh = Operators::Sinh_9;
static constexpr const OperatorIdentifier& Size = Operators::Size_1;
static constexpr const OperatorIdentifier& Slice = Operators::Slice_11;
static constexpr const OperatorIdentifier& Softmax = Operators::Softmax_11;
static constexpr const OperatorIdentifier& Softplus = Operators::Softplus_1;
static constexpr const OperatorIdentifier& Softsign = Operators::Softsign_1;
static constexpr const OperatorIdentifier& SpaceToDepth = Operators::SpaceToDepth_1;
static constexpr const OperatorIdentifier& Split = Operators::Split_11;
static constexpr const OperatorIdentifier& SplitToSequence = Operators::SplitToSequence_11;
static constexpr const OperatorIdentifier& Sqrt = Operators::Sqrt_6;
static constexpr const OperatorIdentifier& Squeeze = Operators::Squeeze_11;
static constexpr const OperatorIdentifier& StringNormalizer = Operators::StringNormalizer_10;
static constexpr const OperatorIdentifier& Sub = Operators::Sub_7;
static constexpr const OperatorIdentifier& Sum = Operators::Sum_8;
static constexpr const OperatorIdentifier& Tan = Operators::Tan_7;
static constexpr const OperatorIdentifier& Tanh = Operators::Tanh_6;
static constexpr const OperatorIdentifier& TfIdfVectorizer = Operators::TfIdfVectorizer_9;
static constexpr const OperatorIdentifier& ThresholdedRelu = Operators::ThresholdedRelu_10;
static constexpr const OperatorIdentifier& Tile = Operators::Tile_6;
static constexpr const OperatorIdentifier& TopK = Operators::TopK_11;
static constexpr const OperatorIdentifier& Transpose = Operators::Transpose_1;
static constexpr const OperatorIdentifier& Unique = Operators::Unique_11;
static constexpr const OperatorIdentifier& Unsqueeze = Operators::Unsqueeze_11;
static constexpr const OperatorIdentifier& Upsample = Operators::Upsample_10;
static constexpr const OperatorIdentifier& Where = Operators::Where_9;
static constexpr const OperatorIdentifier& Xor = Operators::Xor_7;

}  // namespace OpSet11
}  // namespace AiOnnx
}  // namespace Onnx
}  // namespace popart

#endif  // popart_emulator_onnxopset11_hpp
