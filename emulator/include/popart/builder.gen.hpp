// The operators of ONNX as methods, for each opset.
#ifndef popart_builder_gen_hpp
#define popart_builder_gen_hpp

#include <popart/emulator/onnxbuilder11.hpp>

#endif  // popart_builder_gen_hpp
