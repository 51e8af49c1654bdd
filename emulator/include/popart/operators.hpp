// The operators of PopART that the emulation has.
#ifndef popart_operators_hpp
#define popart_operators_hpp

#include <popart/operatoridentifier.hpp>

namespace popart {
namespace Onnx {

namespace Operators {
const OperatorIdentifier Identity_1(Domain::ai_onnx, "Identity", 1, 1, 1);
const OperatorIdentifier Sum_8(Domain::ai_onnx, "Sum", 8, {1, -1}, 1);
}  // namespace Operators

namespace CustomOperators {
const OperatorIdentifier Accumulate(Domain::ai_graphcore, "Accumulate", 1, {2, 3}, 1);
const OperatorIdentifier L1(Domain::ai_graphcore, "L1", 1, 1, 1);
const OperatorIdentifier SGD0VarUpdate(Domain::ai_graphcore, "SGD0VarUpdate", 1, 4, 1);
}  // namespace CustomOperators

namespace GradOperators {
const OperatorIdentifier IdentityGrad(Domain::ai_onnx, "IdentityGrad", 1, 1, 1);
}  // namespace GradOperators

namespace CustomGradOperators {
const OperatorIdentifier L1Grad(Domain::ai_graphcore, "L1Grad", 1, 2, 1);
}  // namespace CustomGradOperators

}  // namespace Onnx
}  // namespace popart

#endif  // popart_operators_hpp
