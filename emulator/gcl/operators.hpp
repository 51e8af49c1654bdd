// Operators of collective operations, as popops names them.
#pragma once
#include <gcl/Collectives.hpp>
#include <popops/Operation.hpp>

namespace gcl {

// Throws poplibs_error for LOCAL, which reduces nothing. MEAN is a sum that is divided afterwards.
popops::Operation operationOf(CollectiveOperator op, const char* function);

}  // namespace gcl
