#ifndef popart_builder_hpp
#define popart_builder_hpp

#include <map>
#include <memory>
#include <popart/builder.gen.hpp>
#include <popart/debugcontext.hpp>
#include <popart/emulator/graphcorebuilder.hpp>
#include <popart/names.hpp>
#include <popart/op.hpp>
#include <popart/operatoridentifier.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/vendored/any.hpp>
#include <popart/voiddata.hpp>
#include <string>
#include <vector>

namespace popart {

/// Writes a model: inputs, weights, and operators of what is registered.
class Builder {
 public:
  static std::unique_ptr<Builder> create();
  ~Builder();

  TensorId addInputTensor(const TensorInfo& info, const DebugContext& debugContext = {});
  TensorId addInputTensor(const std::string& dataType, const Shape& shape,
                          const DebugContext& debugContext = {});
  TensorId addInitializedInputTensor(const ConstVoidData& data,
                                     const DebugContext& debugContext = {});
  void addOutputTensor(const TensorId& id);
  /// The emulator's own: what the opsets' `constant` adds.
  TensorId addConstant(const ConstVoidData& data, const DebugContext& debugContext = {});

  /// Throws `error` where an input is not there, or there are too few or too many.
  std::vector<TensorId> customOp(const OperatorIdentifier& opid, int opsetVersion,
                                 const std::vector<TensorId>& inputs, const unsigned numOutputs,
                                 const std::map<std::string, popart::any>& attributes,
                                 const DebugContext& debugContext = {});

  AiGraphcoreOpset1 aiGraphcoreOpset1() { return AiGraphcoreOpset1(*this); }
  AiOnnxOpset6 aiOnnxOpset6() { return AiOnnxOpset6(*this); }
  AiOnnxOpset7 aiOnnxOpset7() { return AiOnnxOpset7(*this); }
  AiOnnxOpset8 aiOnnxOpset8() { return AiOnnxOpset8(*this); }
  AiOnnxOpset9 aiOnnxOpset9() { return AiOnnxOpset9(*this); }
  AiOnnxOpset10 aiOnnxOpset10() { return AiOnnxOpset10(*this); }
  AiOnnxOpset11 aiOnnxOpset11() { return AiOnnxOpset11(*this); }

  /// The model as bytes, in a format of the emulator's own: ONNX is not there.
  std::string getModelProto() const;
  /// Of an input, or of what RegisterShapeInferenceFunction tells of an output. Throw `error` where
  /// nothing does.
  Shape getTensorShape(const TensorId& id) const;
  std::string getTensorDtypeString(const TensorId& id) const;
  std::vector<TensorId> getInputTensorIds() const;
  std::vector<TensorId> getOutputTensorIds() const;

 private:
  struct Data;
  Builder();
  TensorId newId(const std::string& base);
  const TensorInfo& info(const TensorId& id, const char* operation) const;

  std::unique_ptr<Data> data_;
};

}  // namespace popart

#endif  // popart_builder_hpp
