// Declares the stack of functions that the device's compiler cannot measure: recursive ones and
// those of assembly. A host's stack needs no such thing.
#ifndef poplar_StackSizeDefs_hpp
#define poplar_StackSizeDefs_hpp

#define DEF_STACK_USAGE(size, function)
#define DEF_FUNC_CALL_PTRS(function, callees)

#endif  // poplar_StackSizeDefs_hpp
