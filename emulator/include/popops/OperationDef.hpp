#ifndef popops_OperationDef_hpp
#define popops_OperationDef_hpp

// Codelets include this header too.

namespace popops {

enum class Operation {
  ADD,
  MUL,
  MIN,
  MAX,
  LOGICAL_AND,  // of bools
  LOGICAL_OR,   // of bools
  SQUARE_ADD,   // the sum of squares
  LOG_ADD,      // the logarithm of the sum of exponentials
};

}  // namespace popops

#endif  // popops_OperationDef_hpp
