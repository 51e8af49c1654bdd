// See schema.h.
#ifndef onnx_defs_shape_inference_h
#define onnx_defs_shape_inference_h

#include <onnx/defs/schema.h>

namespace ONNX_NAMESPACE {

inline void propagateShapeAndTypeFromFirstInput(InferenceContext&) {}

}  // namespace ONNX_NAMESPACE

#endif  // onnx_defs_shape_inference_h
