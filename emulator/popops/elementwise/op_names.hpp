// Names of elementwise operations, for messages.
#pragma once
#include <popops/ExprOp.hpp>

namespace popops {
namespace expr {

const char* opName(UnaryOpType op);
const char* opName(BinaryOpType op);

}  // namespace expr
}  // namespace popops
