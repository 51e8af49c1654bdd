#ifndef popart_shapeinference_hpp
#define popart_shapeinference_hpp

#include <functional>
#include <map>
#include <popart/attributes.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/tensorinfo.hpp>
#include <string>

namespace popart {

/// Inputs and outputs of an operator while a Builder asks for the shapes of its outputs.
class ShapeInferenceContext {
 public:
  ShapeInferenceContext(const std::map<int, TensorInfo>& inputInfos, const Attributes& attributes,
                        int outputSize)
      : inputs_(inputInfos), attributes_(attributes), outputSize_(outputSize) {}

  const TensorInfo& inInfo(int index) const;
  const Shape& inShape(int index) const { return inInfo(index).shape(); }
  DataType inType(int index) const { return inInfo(index).dataType(); }
  TensorInfo& outInfo(int index) { return outputs_[index]; }
  const Shape& outShape(int index) const;
  const std::map<int, TensorInfo>& getOutputInfos() { return outputs_; }
  const Attributes& getAttributes() const { return attributes_; }
  int getNumInputs() const { return static_cast<int>(inputs_.size()); }
  int getNumOutputs() const { return outputSize_; }
  bool hasAttribute(const std::string& key) const { return attributes_.hasAttribute(key); }
  template <class T>
  T getAttribute(const std::string& key) {
    return attributes_.getAttribute<T>(key);
  }
  template <class T>
  T getAttribute(const std::string& key, const T& defaultValue) {
    return attributes_.getAttribute<T>(key, defaultValue);
  }

 private:
  std::map<int, TensorInfo> inputs_, outputs_;
  Attributes attributes_;
  int outputSize_;
};

using ShapeInferenceFunction = std::function<void(ShapeInferenceContext&)>;

class ShapeInferenceFunctions {
 public:
  static void registerFunction(const OperatorIdentifier& opid, ShapeInferenceFunction function);
  static bool hasFunction(const OperatorIdentifier& opid);
  static ShapeInferenceFunction getFunction(const OperatorIdentifier& opid);
};

class RegisterShapeInferenceFunction {
 public:
  RegisterShapeInferenceFunction(const OperatorIdentifier& opid, ShapeInferenceFunction function) {
    ShapeInferenceFunctions::registerFunction(opid, std::move(function));
  }
};

inline void propagateElemTypeFromInputToOutput(ShapeInferenceContext& context, size_t input,
                                               size_t output) {
  TensorInfo& out = context.outInfo(static_cast<int>(output));
  out.set(context.inType(static_cast<int>(input)), out.shape());
}

inline void propagateShapeFromInputToOutput(ShapeInferenceContext& context, size_t input,
                                            size_t output) {
  TensorInfo& out = context.outInfo(static_cast<int>(output));
  out.set(out.dataType(), context.inShape(static_cast<int>(input)));
}

}  // namespace popart

#endif  // popart_shapeinference_hpp
