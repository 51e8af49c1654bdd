// The operators by name.
#pragma once
#include <popart/operatoridentifier.hpp>

namespace popsnn {
namespace ops {

inline ::popart::OperatorIdentifier identifier(const char* type) { return {"popsnn", type, 1}; }

}  // namespace ops
}  // namespace popsnn
