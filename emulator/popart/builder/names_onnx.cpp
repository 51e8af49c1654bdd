// The identifiers of ONNX.
#include <popart/operators.hpp>

// Before the objects that register operators by these names.
#define POPSNN_FIRST __attribute__((init_priority(200)))

namespace popart {

namespace Onnx::Operators {

const OperatorIdentifier Abs_1 POPSNN_FIRST(Domain::ai_onnx, "Abs", 1, 1, 1);
const OperatorIdentifier Abs_6 POPSNN_FIRST(Domain::ai_onnx, "Abs", 6, 1, 1);
const OperatorIdentifier Acos_7 POPSNN_FIRST(Domain::ai_onnx, "Acos", 7, 1, 1);
const OperatorIdentifier Acosh_9 POPSNN_FIRST(Domain::ai_onnx, "Acosh", 9, 1, 1);
const OperatorIdentifier Add_1 POPSNN_FIRST(Domain::ai_onnx, "Add", 1, 2, 1);
const OperatorIdentifier Add_6 POPSNN_FIRST(Domain::ai_onnx, "Add", 6, 2, 1);
const OperatorIdentifier Add_7 POPSNN_FIRST(Domain::ai_onnx, "Add", 7, 2, 1);
const OperatorIdentifier And_1 POPSNN_FIRST(Domain::ai_onnx, "And", 1, 2, 1);
const OperatorIdentifier And_7 POPSNN_FIRST(Domain::ai_onnx, "And", 7, 2, 1);
const OperatorIdentifier ArgMax_1 POPSNN_FIRST(Domain::ai_onnx, "ArgMax", 1, 1, 1);
const OperatorIdentifier ArgMax_11 POPSNN_FIRST(Domain::ai_onnx, "ArgMax", 11, 1, 1);
const OperatorIdentifier ArgMin_1 POPSNN_FIRST(Domain::ai_onnx, "ArgMin", 1, 1, 1);
const OperatorIdentifier ArgMin_11 POPSNN_FIRST(Domain::ai_onnx, "ArgMin", 11, 1, 1);
const OperatorIdentifier Asin_7 POPSNN_FIRST(Domain::ai_onnx, "Asin", 7, 1, 1);
const OperatorIdentifier Asinh_9 POPSNN_FIRST(Domain::ai_onnx, "Asinh", 9, 1, 1);
const OperatorIdentifier Atan_7 POPSNN_FIRST(Domain::ai_onnx, "Atan", 7, 1, 1);
const OperatorIdentifier Atanh_9 POPSNN_FIRST(Domain::ai_onnx, "Atanh", 9, 1, 1);
const OperatorIdentifier AveragePool_1 POPSNN_FIRST(Domain::ai_onnx, "AveragePool", 1, 1, 1);
const OperatorIdentifier AveragePool_7 POPSNN_FIRST(Domain::ai_onnx, "AveragePool", 7, 1, 1);
const OperatorIdentifier AveragePool_10 POPSNN_FIRST(Domain::ai_onnx, "AveragePool", 10, 1, 1);
const OperatorIdentifier AveragePool_11 POPSNN_FIRST(Domain::ai_onnx, "AveragePool", 11, 1, 1);
const OperatorIdentifier BatchNormalization_1 POPSNN_FIRST(Domain::ai_onnx, "BatchNormalization", 1,
                                                           5, 5);
const OperatorIdentifier BatchNormalization_6 POPSNN_FIRST(Domain::ai_onnx, "BatchNormalization", 6,
                                                           5, 5);
const OperatorIdentifier BatchNormalization_7 POPSNN_FIRST(Domain::ai_onnx, "BatchNormalization", 7,
                                                           5, 5);
const OperatorIdentifier BatchNormalization_9 POPSNN_FIRST(Domain::ai_onnx, "BatchNormalization", 9,
                                                           5, 5);
const OperatorIdentifier BitShift_11 POPSNN_FIRST(Domain::ai_onnx, "BitShift", 11, 2, 1);
const OperatorIdentifier Cast_1 POPSNN_FIRST(Domain::ai_onnx, "Cast", 1, 1, 1);
const OperatorIdentifier Cast_6 POPSNN_FIRST(Domain::ai_onnx, "Cast", 6, 1, 1);
const OperatorIdentifier Cast_9 POPSNN_FIRST(Domain::ai_onnx, "Cast", 9, 1, 1);
const OperatorIdentifier Ceil_1 POPSNN_FIRST(Domain::ai_onnx, "Ceil", 1, 1, 1);
const OperatorIdentifier Ceil_6 POPSNN_FIRST(Domain::ai_onnx, "Ceil", 6, 1, 1);
const OperatorIdentifier Clip_1 POPSNN_FIRST(Domain::ai_onnx, "Clip", 1, 1, 1);
const OperatorIdentifier Clip_6 POPSNN_FIRST(Domain::ai_onnx, "Clip", 6, 1, 1);
const OperatorIdentifier Clip_11 POPSNN_FIRST(Domain::ai_onnx, "Clip", 11, {1, 3}, 1);
const OperatorIdentifier Compress_9 POPSNN_FIRST(Domain::ai_onnx, "Compress", 9, 2, 1);
const OperatorIdentifier Compress_11 POPSNN_FIRST(Domain::ai_onnx, "Compress", 11, 2, 1);
const OperatorIdentifier Concat_1 POPSNN_FIRST(Domain::ai_onnx, "Concat", 1, {1, -1}, 1);
const OperatorIdentifier Concat_4 POPSNN_FIRST(Domain::ai_onnx, "Concat", 4, {1, -1}, 1);
const OperatorIdentifier Concat_11 POPSNN_FIRST(Domain::ai_onnx, "Concat", 11, {1, -1}, 1);
const OperatorIdentifier ConcatFromSequence_11 POPSNN_FIRST(Domain::ai_onnx, "ConcatFromSequence",
                                                            11, 1, 1);
const OperatorIdentifier Constant_1 POPSNN_FIRST(Domain::ai_onnx, "Constant", 1, 0, 1);
const OperatorIdentifier Constant_9 POPSNN_FIRST(Domain::ai_onnx, "Constant", 9, 0, 1);
const OperatorIdentifier Constant_11 POPSNN_FIRST(Domain::ai_onnx, "Constant", 11, 0, 1);
const OperatorIdentifier ConstantOfShape_9 POPSNN_FIRST(Domain::ai_onnx, "ConstantOfShape", 9, 1,
                                                        1);
const OperatorIdentifier Conv_1 POPSNN_FIRST(Domain::ai_onnx, "Conv", 1, {2, 3}, 1);
const OperatorIdentifier Conv_11 POPSNN_FIRST(Domain::ai_onnx, "Conv", 11, {2, 3}, 1);
const OperatorIdentifier ConvInteger_10 POPSNN_FIRST(Domain::ai_onnx, "ConvInteger", 10, {2, 4}, 1);
const OperatorIdentifier ConvTranspose_1 POPSNN_FIRST(Domain::ai_onnx, "ConvTranspose", 1, {2, 3},
                                                      1);
const OperatorIdentifier ConvTranspose_11 POPSNN_FIRST(Domain::ai_onnx, "ConvTranspose", 11, {2, 3},
                                                       1);
const OperatorIdentifier Cos_7 POPSNN_FIRST(Domain::ai_onnx, "Cos", 7, 1, 1);
const OperatorIdentifier Cosh_9 POPSNN_FIRST(Domain::ai_onnx, "Cosh", 9, 1, 1);
const OperatorIdentifier CumSum_11 POPSNN_FIRST(Domain::ai_onnx, "CumSum", 11, 2, 1);
const OperatorIdentifier DepthToSpace_1 POPSNN_FIRST(Domain::ai_onnx, "DepthToSpace", 1, 1, 1);
const OperatorIdentifier DepthToSpace_11 POPSNN_FIRST(Domain::ai_onnx, "DepthToSpace", 11, 1, 1);
const OperatorIdentifier DequantizeLinear_10 POPSNN_FIRST(Domain::ai_onnx, "DequantizeLinear", 10,
                                                          {2, 3}, 1);
const OperatorIdentifier Det_11 POPSNN_FIRST(Domain::ai_onnx, "Det", 11, 1, 1);
const OperatorIdentifier Div_1 POPSNN_FIRST(Domain::ai_onnx, "Div", 1, 2, 1);
const OperatorIdentifier Div_6 POPSNN_FIRST(Domain::ai_onnx, "Div", 6, 2, 1);
const OperatorIdentifier Div_7 POPSNN_FIRST(Domain::ai_onnx, "Div", 7, 2, 1);
const OperatorIdentifier Dropout_1 POPSNN_FIRST(Domain::ai_onnx, "Dropout", 1, 1, 2);
const OperatorIdentifier Dropout_6 POPSNN_FIRST(Domain::ai_onnx, "Dropout", 6, 1, 2);
const OperatorIdentifier Dropout_7 POPSNN_FIRST(Domain::ai_onnx, "Dropout", 7, 1, 2);
const OperatorIdentifier Dropout_10 POPSNN_FIRST(Domain::ai_onnx, "Dropout", 10, 1, 2);
const OperatorIdentifier DynamicQuantizeLinear_11 POPSNN_FIRST(Domain::ai_onnx,
                                                               "DynamicQuantizeLinear", 11, 1, 3);
const OperatorIdentifier Elu_1 POPSNN_FIRST(Domain::ai_onnx, "Elu", 1, 1, 1);
const OperatorIdentifier Elu_6 POPSNN_FIRST(Domain::ai_onnx, "Elu", 6, 1, 1);
const OperatorIdentifier Equal_1 POPSNN_FIRST(Domain::ai_onnx, "Equal", 1, 2, 1);
const OperatorIdentifier Equal_7 POPSNN_FIRST(Domain::ai_onnx, "Equal", 7, 2, 1);
const OperatorIdentifier Equal_11 POPSNN_FIRST(Domain::ai_onnx, "Equal", 11, 2, 1);
const OperatorIdentifier Erf_9 POPSNN_FIRST(Domain::ai_onnx, "Erf", 9, 1, 1);
const OperatorIdentifier Exp_1 POPSNN_FIRST(Domain::ai_onnx, "Exp", 1, 1, 1);
const OperatorIdentifier Exp_6 POPSNN_FIRST(Domain::ai_onnx, "Exp", 6, 1, 1);
const OperatorIdentifier Expand_8 POPSNN_FIRST(Domain::ai_onnx, "Expand", 8, 2, 1);
const OperatorIdentifier EyeLike_9 POPSNN_FIRST(Domain::ai_onnx, "EyeLike", 9, 1, 1);
const OperatorIdentifier Flatten_1 POPSNN_FIRST(Domain::ai_onnx, "Flatten", 1, 1, 1);
const OperatorIdentifier Flatten_9 POPSNN_FIRST(Domain::ai_onnx, "Flatten", 9, 1, 1);
const OperatorIdentifier Flatten_11 POPSNN_FIRST(Domain::ai_onnx, "Flatten", 11, 1, 1);
const OperatorIdentifier Floor_1 POPSNN_FIRST(Domain::ai_onnx, "Floor", 1, 1, 1);
const OperatorIdentifier Floor_6 POPSNN_FIRST(Domain::ai_onnx, "Floor", 6, 1, 1);
const OperatorIdentifier GRU_1 POPSNN_FIRST(Domain::ai_onnx, "GRU", 1, {3, 6}, 2);
const OperatorIdentifier GRU_3 POPSNN_FIRST(Domain::ai_onnx, "GRU", 3, {3, 6}, 2);
const OperatorIdentifier GRU_7 POPSNN_FIRST(Domain::ai_onnx, "GRU", 7, {3, 6}, 2);
const OperatorIdentifier Gather_1 POPSNN_FIRST(Domain::ai_onnx, "Gather", 1, 2, 1);
const OperatorIdentifier Gather_11 POPSNN_FIRST(Domain::ai_onnx, "Gather", 11, 2, 1);
const OperatorIdentifier GatherElements_11 POPSNN_FIRST(Domain::ai_onnx, "GatherElements", 11, 2,
                                                        1);
const OperatorIdentifier GatherND_11 POPSNN_FIRST(Domain::ai_onnx, "GatherND", 11, 2, 1);
const OperatorIdentifier Gemm_1 POPSNN_FIRST(Domain::ai_onnx, "Gemm", 1, 3, 1);
const OperatorIdentifier Gemm_6 POPSNN_FIRST(Domain::ai_onnx, "Gemm", 6, 3, 1);
const OperatorIdentifier Gemm_7 POPSNN_FIRST(Domain::ai_onnx, "Gemm", 7, 3, 1);
const OperatorIdentifier Gemm_9 POPSNN_FIRST(Domain::ai_onnx, "Gemm", 9, 3, 1);
const OperatorIdentifier Gemm_11 POPSNN_FIRST(Domain::ai_onnx, "Gemm", 11, {2, 3}, 1);
const OperatorIdentifier GlobalAveragePool_1 POPSNN_FIRST(Domain::ai_onnx, "GlobalAveragePool", 1,
                                                          1, 1);
const OperatorIdentifier GlobalLpPool_1 POPSNN_FIRST(Domain::ai_onnx, "GlobalLpPool", 1, 1, 1);
const OperatorIdentifier GlobalLpPool_2 POPSNN_FIRST(Domain::ai_onnx, "GlobalLpPool", 2, 1, 1);
const OperatorIdentifier GlobalMaxPool_1 POPSNN_FIRST(Domain::ai_onnx, "GlobalMaxPool", 1, 1, 1);
const OperatorIdentifier Greater_1 POPSNN_FIRST(Domain::ai_onnx, "Greater", 1, 2, 1);
const OperatorIdentifier Greater_7 POPSNN_FIRST(Domain::ai_onnx, "Greater", 7, 2, 1);
const OperatorIdentifier Greater_9 POPSNN_FIRST(Domain::ai_onnx, "Greater", 9, 2, 1);
const OperatorIdentifier HardSigmoid_1 POPSNN_FIRST(Domain::ai_onnx, "HardSigmoid", 1, 1, 1);
const OperatorIdentifier HardSigmoid_6 POPSNN_FIRST(Domain::ai_onnx, "HardSigmoid", 6, 1, 1);
const OperatorIdentifier Hardmax_1 POPSNN_FIRST(Domain::ai_onnx, "Hardmax", 1, 1, 1);
const OperatorIdentifier Hardmax_11 POPSNN_FIRST(Domain::ai_onnx, "Hardmax", 11, 1, 1);
const OperatorIdentifier Identity_1 POPSNN_FIRST(Domain::ai_onnx, "Identity", 1, 1, 1);
const OperatorIdentifier If_1 POPSNN_FIRST(Domain::ai_onnx, "If", 1, 1, -1);
const OperatorIdentifier If_11 POPSNN_FIRST(Domain::ai_onnx, "If", 11, 1, -1);
const OperatorIdentifier InstanceNormalization_1 POPSNN_FIRST(Domain::ai_onnx,
                                                              "InstanceNormalization", 1, 3, 1);
const OperatorIdentifier InstanceNormalization_6 POPSNN_FIRST(Domain::ai_onnx,
                                                              "InstanceNormalization", 6, 3, 1);
const OperatorIdentifier IsInf_10 POPSNN_FIRST(Domain::ai_onnx, "IsInf", 10, 1, 1);
const OperatorIdentifier IsNaN_9 POPSNN_FIRST(Domain::ai_onnx, "IsNaN", 9, 1, 1);
const OperatorIdentifier LRN_1 POPSNN_FIRST(Domain::ai_onnx, "LRN", 1, 1, 1);
const OperatorIdentifier LSTM_1 POPSNN_FIRST(Domain::ai_onnx, "LSTM", 1, {3, 8}, 3);
const OperatorIdentifier LSTM_7 POPSNN_FIRST(Domain::ai_onnx, "LSTM", 7, {3, 8}, 3);
const OperatorIdentifier LeakyRelu_1 POPSNN_FIRST(Domain::ai_onnx, "LeakyRelu", 1, 1, 1);
const OperatorIdentifier LeakyRelu_6 POPSNN_FIRST(Domain::ai_onnx, "LeakyRelu", 6, 1, 1);
const OperatorIdentifier Less_1 POPSNN_FIRST(Domain::ai_onnx, "Less", 1, 2, 1);
const OperatorIdentifier Less_7 POPSNN_FIRST(Domain::ai_onnx, "Less", 7, 2, 1);
const OperatorIdentifier Less_9 POPSNN_FIRST(Domain::ai_onnx, "Less", 9, 2, 1);
const OperatorIdentifier Log_1 POPSNN_FIRST(Domain::ai_onnx, "Log", 1, 1, 1);
const OperatorIdentifier Log_6 POPSNN_FIRST(Domain::ai_onnx, "Log", 6, 1, 1);
const OperatorIdentifier LogSoftmax_1 POPSNN_FIRST(Domain::ai_onnx, "LogSoftmax", 1, 1, 1);
const OperatorIdentifier LogSoftmax_11 POPSNN_FIRST(Domain::ai_onnx, "LogSoftmax", 11, 1, 1);
const OperatorIdentifier Loop_1 POPSNN_FIRST(Domain::ai_onnx, "Loop", 1, {3, -1}, -1);
const OperatorIdentifier Loop_11 POPSNN_FIRST(Domain::ai_onnx, "Loop", 11, {2, -1}, -1);
const OperatorIdentifier LpNormalization_1 POPSNN_FIRST(Domain::ai_onnx, "LpNormalization", 1, 1,
                                                        1);
const OperatorIdentifier LpPool_1 POPSNN_FIRST(Domain::ai_onnx, "LpPool", 1, 1, 1);
const OperatorIdentifier LpPool_2 POPSNN_FIRST(Domain::ai_onnx, "LpPool", 2, 1, 1);
const OperatorIdentifier LpPool_11 POPSNN_FIRST(Domain::ai_onnx, "LpPool", 11, 1, 1);
const OperatorIdentifier MatMul_1 POPSNN_FIRST(Domain::ai_onnx, "MatMul", 1, 2, 1);
const OperatorIdentifier MatMul_9 POPSNN_FIRST(Domain::ai_onnx, "MatMul", 9, 2, 1);
const OperatorIdentifier MatMulInteger_10 POPSNN_FIRST(Domain::ai_onnx, "MatMulInteger", 10, {2, 4},
                                                       1);
const OperatorIdentifier Max_1 POPSNN_FIRST(Domain::ai_onnx, "Max", 1, {1, -1}, 1);
const OperatorIdentifier Max_6 POPSNN_FIRST(Domain::ai_onnx, "Max", 6, {1, -1}, 1);
const OperatorIdentifier Max_8 POPSNN_FIRST(Domain::ai_onnx, "Max", 8, {1, -1}, 1);
const OperatorIdentifier MaxPool_1 POPSNN_FIRST(Domain::ai_onnx, "MaxPool", 1, 1, 1);
const OperatorIdentifier MaxPool_8 POPSNN_FIRST(Domain::ai_onnx, "MaxPool", 8, 1, 2);
const OperatorIdentifier MaxPool_10 POPSNN_FIRST(Domain::ai_onnx, "MaxPool", 10, 1, 2);
const OperatorIdentifier MaxPool_11 POPSNN_FIRST(Domain::ai_onnx, "MaxPool", 11, 1, 2);
const OperatorIdentifier MaxRoiPool_1 POPSNN_FIRST(Domain::ai_onnx, "MaxRoiPool", 1, 2, 1);
const OperatorIdentifier MaxUnpool_9 POPSNN_FIRST(Domain::ai_onnx, "MaxUnpool", 9, {2, 3}, 1);
const OperatorIdentifier MaxUnpool_11 POPSNN_FIRST(Domain::ai_onnx, "MaxUnpool", 11, {2, 3}, 1);
const OperatorIdentifier Mean_1 POPSNN_FIRST(Domain::ai_onnx, "Mean", 1, {1, -1}, 1);
const OperatorIdentifier Mean_6 POPSNN_FIRST(Domain::ai_onnx, "Mean", 6, {1, -1}, 1);
const OperatorIdentifier Mean_8 POPSNN_FIRST(Domain::ai_onnx, "Mean", 8, {1, -1}, 1);
const OperatorIdentifier MeanVarianceNormalization_9 POPSNN_FIRST(Domain::ai_onnx,
                                                                  "MeanVarianceNormalization", 9, 1,
                                                                  1);
const OperatorIdentifier Min_1 POPSNN_FIRST(Domain::ai_onnx, "Min", 1, {1, -1}, 1);
const OperatorIdentifier Min_6 POPSNN_FIRST(Domain::ai_onnx, "Min", 6, {1, -1}, 1);
const OperatorIdentifier Min_8 POPSNN_FIRST(Domain::ai_onnx, "Min", 8, {1, -1}, 1);
const OperatorIdentifier Mod_10 POPSNN_FIRST(Domain::ai_onnx, "Mod", 10, 2, 1);
const OperatorIdentifier Mul_1 POPSNN_FIRST(Domain::ai_onnx, "Mul", 1, 2, 1);
const OperatorIdentifier Mul_6 POPSNN_FIRST(Domain::ai_onnx, "Mul", 6, 2, 1);
const OperatorIdentifier Mul_7 POPSNN_FIRST(Domain::ai_onnx, "Mul", 7, 2, 1);
const OperatorIdentifier Multinomial_7 POPSNN_FIRST(Domain::ai_onnx, "Multinomial", 7, 1, 1);
const OperatorIdentifier Neg_1 POPSNN_FIRST(Domain::ai_onnx, "Neg", 1, 1, 1);
const OperatorIdentifier Neg_6 POPSNN_FIRST(Domain::ai_onnx, "Neg", 6, 1, 1);
const OperatorIdentifier NonMaxSuppression_10 POPSNN_FIRST(Domain::ai_onnx, "NonMaxSuppression", 10,
                                                           {2, 5}, 1);
const OperatorIdentifier NonMaxSuppression_11 POPSNN_FIRST(Domain::ai_onnx, "NonMaxSuppression", 11,
                                                           {2, 5}, 1);
const OperatorIdentifier NonZero_9 POPSNN_FIRST(Domain::ai_onnx, "NonZero", 9, 1, 1);
const OperatorIdentifier Not_1 POPSNN_FIRST(Domain::ai_onnx, "Not", 1, 1, 1);
const OperatorIdentifier OneHot_9 POPSNN_FIRST(Domain::ai_onnx, "OneHot", 9, 3, 1);
const OperatorIdentifier OneHot_11 POPSNN_FIRST(Domain::ai_onnx, "OneHot", 11, 3, 1);
const OperatorIdentifier Or_1 POPSNN_FIRST(Domain::ai_onnx, "Or", 1, 2, 1);
const OperatorIdentifier Or_7 POPSNN_FIRST(Domain::ai_onnx, "Or", 7, 2, 1);
const OperatorIdentifier PRelu_1 POPSNN_FIRST(Domain::ai_onnx, "PRelu", 1, 2, 1);
const OperatorIdentifier PRelu_6 POPSNN_FIRST(Domain::ai_onnx, "PRelu", 6, 2, 1);
const OperatorIdentifier PRelu_7 POPSNN_FIRST(Domain::ai_onnx, "PRelu", 7, 2, 1);
const OperatorIdentifier PRelu_9 POPSNN_FIRST(Domain::ai_onnx, "PRelu", 9, 2, 1);
const OperatorIdentifier Pad_1 POPSNN_FIRST(Domain::ai_onnx, "Pad", 1, 1, 1);
const OperatorIdentifier Pad_2 POPSNN_FIRST(Domain::ai_onnx, "Pad", 2, 1, 1);
const OperatorIdentifier Pad_11 POPSNN_FIRST(Domain::ai_onnx, "Pad", 11, {2, 3}, 1);
const OperatorIdentifier Pow_1 POPSNN_FIRST(Domain::ai_onnx, "Pow", 1, 2, 1);
const OperatorIdentifier Pow_7 POPSNN_FIRST(Domain::ai_onnx, "Pow", 7, 2, 1);
const OperatorIdentifier QLinearConv_10 POPSNN_FIRST(Domain::ai_onnx, "QLinearConv", 10, {8, 9}, 1);
const OperatorIdentifier QLinearMatMul_10 POPSNN_FIRST(Domain::ai_onnx, "QLinearMatMul", 10, 8, 1);
const OperatorIdentifier QuantizeLinear_10 POPSNN_FIRST(Domain::ai_onnx, "QuantizeLinear", 10,
                                                        {2, 3}, 1);
const OperatorIdentifier RNN_1 POPSNN_FIRST(Domain::ai_onnx, "RNN", 1, {3, 6}, 2);
const OperatorIdentifier RNN_7 POPSNN_FIRST(Domain::ai_onnx, "RNN", 7, {3, 6}, 2);
const OperatorIdentifier RandomNormal_1 POPSNN_FIRST(Domain::ai_onnx, "RandomNormal", 1, 0, 1);
const OperatorIdentifier RandomNormalLike_1 POPSNN_FIRST(Domain::ai_onnx, "RandomNormalLike", 1, 1,
                                                         1);
const OperatorIdentifier RandomUniform_1 POPSNN_FIRST(Domain::ai_onnx, "RandomUniform", 1, 0, 1);
const OperatorIdentifier RandomUniformLike_1 POPSNN_FIRST(Domain::ai_onnx, "RandomUniformLike", 1,
                                                          1, 1);
const OperatorIdentifier Range_11 POPSNN_FIRST(Domain::ai_onnx, "Range", 11, 3, 1);
const OperatorIdentifier Reciprocal_1 POPSNN_FIRST(Domain::ai_onnx, "Reciprocal", 1, 1, 1);
const OperatorIdentifier Reciprocal_6 POPSNN_FIRST(Domain::ai_onnx, "Reciprocal", 6, 1, 1);
const OperatorIdentifier ReduceL1_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceL1", 1, 1, 1);
const OperatorIdentifier ReduceL1_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceL1", 11, 1, 1);
const OperatorIdentifier ReduceL2_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceL2", 1, 1, 1);
const OperatorIdentifier ReduceL2_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceL2", 11, 1, 1);
const OperatorIdentifier ReduceLogSum_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceLogSum", 1, 1, 1);
const OperatorIdentifier ReduceLogSum_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceLogSum", 11, 1, 1);
const OperatorIdentifier ReduceLogSumExp_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceLogSumExp", 1, 1,
                                                        1);
const OperatorIdentifier ReduceLogSumExp_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceLogSumExp", 11, 1,
                                                         1);
const OperatorIdentifier ReduceMax_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceMax", 1, 1, 1);
const OperatorIdentifier ReduceMax_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceMax", 11, 1, 1);
const OperatorIdentifier ReduceMean_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceMean", 1, 1, 1);
const OperatorIdentifier ReduceMean_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceMean", 11, 1, 1);
const OperatorIdentifier ReduceMin_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceMin", 1, 1, 1);
const OperatorIdentifier ReduceMin_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceMin", 11, 1, 1);
const OperatorIdentifier ReduceProd_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceProd", 1, 1, 1);
const OperatorIdentifier ReduceProd_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceProd", 11, 1, 1);
const OperatorIdentifier ReduceSum_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceSum", 1, 1, 1);
const OperatorIdentifier ReduceSum_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceSum", 11, 1, 1);
const OperatorIdentifier ReduceSumSquare_1 POPSNN_FIRST(Domain::ai_onnx, "ReduceSumSquare", 1, 1,
                                                        1);
const OperatorIdentifier ReduceSumSquare_11 POPSNN_FIRST(Domain::ai_onnx, "ReduceSumSquare", 11, 1,
                                                         1);
const OperatorIdentifier Relu_1 POPSNN_FIRST(Domain::ai_onnx, "Relu", 1, 1, 1);
const OperatorIdentifier Relu_6 POPSNN_FIRST(Domain::ai_onnx, "Relu", 6, 1, 1);
const OperatorIdentifier Reshape_1 POPSNN_FIRST(Domain::ai_onnx, "Reshape", 1, 1, 1);
const OperatorIdentifier Reshape_5 POPSNN_FIRST(Domain::ai_onnx, "Reshape", 5, 2, 1);
const OperatorIdentifier Resize_10 POPSNN_FIRST(Domain::ai_onnx, "Resize", 10, 2, 1);
const OperatorIdentifier Resize_11 POPSNN_FIRST(Domain::ai_onnx, "Resize", 11, {3, 4}, 1);
const OperatorIdentifier ReverseSequence_10 POPSNN_FIRST(Domain::ai_onnx, "ReverseSequence", 10, 2,
                                                         1);
const OperatorIdentifier RoiAlign_10 POPSNN_FIRST(Domain::ai_onnx, "RoiAlign", 10, 3, 1);
const OperatorIdentifier Round_11 POPSNN_FIRST(Domain::ai_onnx, "Round", 11, 1, 1);
const OperatorIdentifier Scan_8 POPSNN_FIRST(Domain::ai_onnx, "Scan", 8, {2, -1}, -1);
const OperatorIdentifier Scan_9 POPSNN_FIRST(Domain::ai_onnx, "Scan", 9, {1, -1}, -1);
const OperatorIdentifier Scan_11 POPSNN_FIRST(Domain::ai_onnx, "Scan", 11, {1, -1}, -1);
const OperatorIdentifier Scatter_9 POPSNN_FIRST(Domain::ai_onnx, "Scatter", 9, 3, 1);
const OperatorIdentifier Scatter_11 POPSNN_FIRST(Domain::ai_onnx, "Scatter", 11, 3, 1);
const OperatorIdentifier ScatterElements_11 POPSNN_FIRST(Domain::ai_onnx, "ScatterElements", 11, 3,
                                                         1);
const OperatorIdentifier ScatterND_11 POPSNN_FIRST(Domain::ai_onnx, "ScatterND", 11, 3, 1);
const OperatorIdentifier Selu_1 POPSNN_FIRST(Domain::ai_onnx, "Selu", 1, 1, 1);
const OperatorIdentifier Selu_6 POPSNN_FIRST(Domain::ai_onnx, "Selu", 6, 1, 1);
const OperatorIdentifier SequenceAt_11 POPSNN_FIRST(Domain::ai_onnx, "SequenceAt", 11, 2, 1);
const OperatorIdentifier SequenceConstruct_11 POPSNN_FIRST(Domain::ai_onnx, "SequenceConstruct", 11,
                                                           {1, -1}, 1);
const OperatorIdentifier SequenceEmpty_11 POPSNN_FIRST(Domain::ai_onnx, "SequenceEmpty", 11, 0, 1);
const OperatorIdentifier SequenceErase_11 POPSNN_FIRST(Domain::ai_onnx, "SequenceErase", 11, {1, 2},
                                                       1);
const OperatorIdentifier SequenceInsert_11 POPSNN_FIRST(Domain::ai_onnx, "SequenceInsert", 11,
                                                        {2, 3}, 1);
const OperatorIdentifier SequenceLength_11 POPSNN_FIRST(Domain::ai_onnx, "SequenceLength", 11, 1,
                                                        1);
const OperatorIdentifier Shape_1 POPSNN_FIRST(Domain::ai_onnx, "Shape", 1, 1, 1);
const OperatorIdentifier Shrink_9 POPSNN_FIRST(Domain::ai_onnx, "Shrink", 9, 1, 1);
const OperatorIdentifier Sigmoid_1 POPSNN_FIRST(Domain::ai_onnx, "Sigmoid", 1, 1, 1);
const OperatorIdentifier Sigmoid_6 POPSNN_FIRST(Domain::ai_onnx, "Sigmoid", 6, 1, 1);
const OperatorIdentifier Sign_9 POPSNN_FIRST(Domain::ai_onnx, "Sign", 9, 1, 1);
const OperatorIdentifier Sin_7 POPSNN_FIRST(Domain::ai_onnx, "Sin", 7, 1, 1);
const OperatorIdentifier Sinh_9 POPSNN_FIRST(Domain::ai_onnx, "Sinh", 9, 1, 1);
const OperatorIdentifier Size_1 POPSNN_FIRST(Domain::ai_onnx, "Size", 1, 1, 1);
const OperatorIdentifier Slice_1 POPSNN_FIRST(Domain::ai_onnx, "Slice", 1, 1, 1);
const OperatorIdentifier Slice_10 POPSNN_FIRST(Domain::ai_onnx, "Slice", 10, {3, 5}, 1);
const OperatorIdentifier Slice_11 POPSNN_FIRST(Domain::ai_onnx, "Slice", 11, {3, 5}, 1);
const OperatorIdentifier Softmax_1 POPSNN_FIRST(Domain::ai_onnx, "Softmax", 1, 1, 1);
const OperatorIdentifier Softmax_11 POPSNN_FIRST(Domain::ai_onnx, "Softmax", 11, 1, 1);
const OperatorIdentifier Softplus_1 POPSNN_FIRST(Domain::ai_onnx, "Softplus", 1, 1, 1);
const OperatorIdentifier Softsign_1 POPSNN_FIRST(Domain::ai_onnx, "Softsign", 1, 1, 1);
const OperatorIdentifier SpaceToDepth_1 POPSNN_FIRST(Domain::ai_onnx, "SpaceToDepth", 1, 1, 1);
const OperatorIdentifier Split_1 POPSNN_FIRST(Domain::ai_onnx, "Split", 1, {1, 2}, -1);
const OperatorIdentifier Split_2 POPSNN_FIRST(Domain::ai_onnx, "Split", 2, 1, -1);
const OperatorIdentifier Split_11 POPSNN_FIRST(Domain::ai_onnx, "Split", 11, 1, -1);
const OperatorIdentifier SplitToSequence_11 POPSNN_FIRST(Domain::ai_onnx, "SplitToSequence", 11,
                                                         {1, 2}, 1);
const OperatorIdentifier Sqrt_1 POPSNN_FIRST(Domain::ai_onnx, "Sqrt", 1, 1, 1);
const OperatorIdentifier Sqrt_6 POPSNN_FIRST(Domain::ai_onnx, "Sqrt", 6, 1, 1);
const OperatorIdentifier Squeeze_1 POPSNN_FIRST(Domain::ai_onnx, "Squeeze", 1, 1, 1);
const OperatorIdentifier Squeeze_11 POPSNN_FIRST(Domain::ai_onnx, "Squeeze", 11, 1, 1);
const OperatorIdentifier StringNormalizer_10 POPSNN_FIRST(Domain::ai_onnx, "StringNormalizer", 10,
                                                          1, 1);
const OperatorIdentifier Sub_1 POPSNN_FIRST(Domain::ai_onnx, "Sub", 1, 2, 1);
const OperatorIdentifier Sub_6 POPSNN_FIRST(Domain::ai_onnx, "Sub", 6, 2, 1);
const OperatorIdentifier Sub_7 POPSNN_FIRST(Domain::ai_onnx, "Sub", 7, 2, 1);
const OperatorIdentifier Sum_1 POPSNN_FIRST(Domain::ai_onnx, "Sum", 1, {1, -1}, 1);
const OperatorIdentifier Sum_6 POPSNN_FIRST(Domain::ai_onnx, "Sum", 6, {1, -1}, 1);
const OperatorIdentifier Sum_8 POPSNN_FIRST(Domain::ai_onnx, "Sum", 8, {1, -1}, 1);
const OperatorIdentifier Tan_7 POPSNN_FIRST(Domain::ai_onnx, "Tan", 7, 1, 1);
const OperatorIdentifier Tanh_1 POPSNN_FIRST(Domain::ai_onnx, "Tanh", 1, 1, 1);
const OperatorIdentifier Tanh_6 POPSNN_FIRST(Domain::ai_onnx, "Tanh", 6, 1, 1);
const OperatorIdentifier TfIdfVectorizer_9 POPSNN_FIRST(Domain::ai_onnx, "TfIdfVectorizer", 9, 1,
                                                        1);
const OperatorIdentifier ThresholdedRelu_10 POPSNN_FIRST(Domain::ai_onnx, "ThresholdedRelu", 10, 1,
                                                         1);
const OperatorIdentifier Tile_1 POPSNN_FIRST(Domain::ai_onnx, "Tile", 1, 3, 1);
const OperatorIdentifier Tile_6 POPSNN_FIRST(Domain::ai_onnx, "Tile", 6, 2, 1);
const OperatorIdentifier TopK_1 POPSNN_FIRST(Domain::ai_onnx, "TopK", 1, 1, 2);
const OperatorIdentifier TopK_10 POPSNN_FIRST(Domain::ai_onnx, "TopK", 10, 2, 2);
const OperatorIdentifier TopK_11 POPSNN_FIRST(Domain::ai_onnx, "TopK", 11, 2, 2);
const OperatorIdentifier Transpose_1 POPSNN_FIRST(Domain::ai_onnx, "Transpose", 1, 1, 1);
const OperatorIdentifier Unique_11 POPSNN_FIRST(Domain::ai_onnx, "Unique", 11, 1, 4);
const OperatorIdentifier Unsqueeze_1 POPSNN_FIRST(Domain::ai_onnx, "Unsqueeze", 1, 1, 1);
const OperatorIdentifier Unsqueeze_11 POPSNN_FIRST(Domain::ai_onnx, "Unsqueeze", 11, 1, 1);
const OperatorIdentifier Upsample_1 POPSNN_FIRST(Domain::ai_onnx, "Upsample", 1, 1, 1);
const OperatorIdentifier Upsample_7 POPSNN_FIRST(Domain::ai_onnx, "Upsample", 7, 1, 1);
const OperatorIdentifier Upsample_9 POPSNN_FIRST(Domain::ai_onnx, "Upsample", 9, 2, 1);
const OperatorIdentifier Upsample_10 POPSNN_FIRST(Domain::ai_onnx, "Upsample", 10, 2, 1);
const OperatorIdentifier Where_9 POPSNN_FIRST(Domain::ai_onnx, "Where", 9, 3, 1);
const OperatorIdentifier Xor_1 POPSNN_FIRST(Domain::ai_onnx, "Xor", 1, 2, 1);
const OperatorIdentifier Xor_7 POPSNN_FIRST(Domain::ai_onnx, "Xor", 7, 2, 1);

}  // namespace Onnx::Operators

}  // namespace popart
