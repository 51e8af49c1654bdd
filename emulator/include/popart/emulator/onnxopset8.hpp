// The operators of opset 8 of ONNX; popart/onnxoperators.gen.hpp includes this.
#ifndef popart_emulator_onnxopset8_hpp
#define popart_emulator_onnxopset8_hpp

#include <popart/onnxoperators.gen.hpp>

namespace popart {
namespace Onnx {
namespace AiOnnx {
namespace OpSet8 {

const OperatorIdentifier Abs = Operators::Abs_6;
const OperatorIdentifier Acos = Operators::Acos_7;
const OperatorIdentifier Add = Operators::Add_7;
const OperatorIdentifier And = Operators::And_7;
const OperatorIdentifier ArgMax = Operators::ArgMax_1;
const OperatorIdentifier ArgMin = Operators::ArgMin_1;
const OperatorIdentifier Asin = Operators::Asin_7;
const OperatorIdentifier Atan = Operators::Atan_7;
const OperatorIdentifier AveragePool = Operators::AveragePool_7;
const OperatorIdentifier BatchNormalization = Operators::BatchNormalization_7;
const OperatorIdentifier Cast = Operators::Cast_6;
const OperatorIdentifier Ceil = Operators::Ceil_6;
const OperatorIdentifier Clip = Operators::Clip_6;
const OperatorIdentifier Concat = Operators::Concat_4;
const OperatorIdentifier Constant = Operators::Constant_1;
const OperatorIdentifier Conv = Operators::Conv_1;
const OperatorIdentifier ConvTranspose = Operators::ConvTranspose_1;
const OperatorIdentifier Cos = Operators::Cos_7;
const OperatorIdentifier DepthToSpace = Operators::DepthToSpace_1;
const OperatorIdentifier Div = Operators::Div_7;
const OperatorIdentifier Dropout = Operators::Dropout_7;
const OperatorIdentifier Elu = Operators::Elu_6;
const OperatorIdentifier Equal = Operators::Equal_7;
const OperatorIdentifier Exp = Operators::Exp_6;
const OperatorIdentifier Expand = Operators::Expand_8;
const OperatorIdentifier Flatten = Operators::Flatten_1;
const OperatorIdentifier Floor = Operators::Floor_6;
const OperatorIdentifier GRU = Operators::GRU_7;
const OperatorIdentifier Gather = Operators::Gather_1;
const OperatorIdentifier Gemm = Operators::Gemm_7;
const OperatorIdentifier GlobalAveragePool = Operators::GlobalAveragePool_1;
const OperatorIdentifier GlobalLpPool = Operators::GlobalLpPool_2;
const OperatorIdentifier GlobalMaxPool = Operators::GlobalMaxPool_1;
const OperatorIdentifier Greater = Operators::Greater_7;
const OperatorIdentifier HardSigmoid = Operators::HardSigmoid_6;
const OperatorIdentifier Hardmax = Operators::Hardmax_1;
const OperatorIdentifier Identity = Operators::Identity_1;
const OperatorIdentifier If = Operators::If_1;
const OperatorIdentifier InstanceNormalization = Operators::InstanceNormalization_6;
const OperatorIdentifier LRN = Operators::LRN_1;
const OperatorIdentifier LSTM = Operators::LSTM_7;
const OperatorIdentifier LeakyRelu = Operators::LeakyRelu_6;
const OperatorIdentifier Less = Operators::Less_7;
const OperatorIdentifier Log = Operators::Log_6;
const OperatorIdentifier LogSoftmax = Operators::LogSoftmax_1;
const OperatorIdentifier Loop = Operators::Loop_1;
const OperatorIdentifier LpNormalization = Operators::LpNormalization_1;
const OperatorIdentifier LpPool = Operators::LpPool_2;
const OperatorIdentifier MatMul = Operators::MatMul_1;
const OperatorIdentifier Max = Operators::Max_8;
const OperatorIdentifier MaxPool = Operators::MaxPool_8;
const OperatorIdentifier MaxRoiPool = Operators::MaxRoiPool_1;
const OperatorIdentifier Mean = Operators::Mean_8;
const OperatorIdentifier Min = Operators::Min_8;
const OperatorIdentifier Mul = Operators::Mul_7;
const OperatorIdentifier Multinomial = Operators::Multinomial_7;
const OperatorIdentifier Neg = Operators::Neg_6;
const OperatorIdentifier Not = Operators::Not_1;
const OperatorIdentifier Or = Operators::Or_7;
const OperatorIdentifier PRelu = Operators::PRelu_7;
const OperatorIdentifier Pad = Operators::Pad_2;
const OperatorIdentifier Pow = Operators::Pow_7;
const OperatorIdentifier RNN = Operators::RNN_7;
const OperatorIdentifier RandomNormal = Operators::RandomNormal_1;
const OperatorIdentifier RandomNormalLike = Operators::RandomNormalLike_1;
const OperatorIdentifier RandomUniform = Operators::RandomUniform_1;
const OperatorIdentifier RandomUniformLike = Operators::RandomUniformLike_1;
const OperatorIdentifier Reciprocal = Operators::Reciprocal_6;
const OperatorIdentifier ReduceL1 = Operators::ReduceL1_1;
const OperatorIdentifier ReduceL2 = Operators::ReduceL2_1;
const OperatorIdentifier ReduceLogSum = Operators::ReduceLogSum_1;
const OperatorIdentifier ReduceLogSumExp = Operators::ReduceLogSumExp_1;
const OperatorIdentifier ReduceMax = Operators::ReduceMax_1;
const OperatorIdentifier ReduceMean = Operators::ReduceMean_1;
const OperatorIdentifier ReduceMin = Operators::ReduceMin_1;
const OperatorIdentifier ReduceProd = Operators::ReduceProd_1;
const OperatorIdentifier ReduceSum = Operators::ReduceSum_1;
const OperatorIdentifier ReduceSumSquare = Operators::ReduceSumSquare_1;
const OperatorIdentifier Relu = Operators::Relu_6;
const OperatorIdentifier Reshape = Operators::Reshape_5;
const OperatorIdentifier Scan = Operators::Scan_8;
const OperatorIdentifier Selu = Operators::Selu_6;
const OperatorIdentifier Shape = Operators::Shape_1;
const OperatorIdentifier Sigmoid = Operators::Sigmoid_6;
const OperatorIdentifier Sin = Operators::Sin_7;
const OperatorIdentifier Size = Operators::Size_1;
const OperatorIdentifier Slice = Operators::Slice_1;
const OperatorIdentifier Softmax = Operators::Softmax_1;
const OperatorIdentifier Softplus = Operators::Softplus_1;
const OperatorIdentifier Softsign = Operators::Softsign_1;
const OperatorIdentifier SpaceToDepth = Operators::SpaceToDepth_1;
const OperatorIdentifier Split = Operators::Split_2;
const OperatorIdentifier Sqrt = Operators::Sqrt_6;
const OperatorIdentifier Squeeze = Operators::Squeeze_1;
const OperatorIdentifier Sub = Operators::Sub_7;
const OperatorIdentifier Sum = Operators::Sum_8;
const OperatorIdentifier Tan = Operators::Tan_7;
const OperatorIdentifier Tanh = Operators::Tanh_6;
const OperatorIdentifier Tile = Operators::Tile_6;
const OperatorIdentifier TopK = Operators::TopK_1;
const OperatorIdentifier Transpose = Operators::Transpose_1;
const OperatorIdentifier Unsqueeze = Operators::Unsqueeze_1;
const OperatorIdentifier Upsample = Operators::Upsample_7;
const OperatorIdentifier Xor = Operators::Xor_7;

}  // namespace OpSet8
}  // namespace AiOnnx
}  // namespace Onnx
}  // namespace popart

#endif  // popart_emulator_onnxopset8_hpp
