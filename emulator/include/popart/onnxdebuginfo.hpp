#ifndef popart_onnxdebuginfo_hpp
#define popart_onnxdebuginfo_hpp

#include <popart/debugcontext.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>

namespace onnx {
class TensorProto;
class ValueInfoProto;
}  // namespace onnx

namespace popart {

class TensorInfo;
class OnnxOpDebugInfo : public DebugInfo {
 public:
  OnnxOpDebugInfo(const DebugContext&, const Node&)
      : DebugInfo(emulator::absent<const DebugContext>("popart::OnnxOpDebugInfo"),
                  emulator::absent<const std::string>("popart::OnnxOpDebugInfo")) {}
};

class OnnxVariableDebugInfo : public DebugInfo {
 public:
  OnnxVariableDebugInfo(const DebugContext&, const onnx::TensorProto&)
      : DebugInfo(emulator::absent<const DebugContext>("popart::OnnxVariableDebugInfo"),
                  emulator::absent<const std::string>("popart::OnnxVariableDebugInfo")) {}
  OnnxVariableDebugInfo(const DebugContext&, const onnx::ValueInfoProto&)
      : DebugInfo(emulator::absent<const DebugContext>("popart::OnnxVariableDebugInfo"),
                  emulator::absent<const std::string>("popart::OnnxVariableDebugInfo")) {}
  OnnxVariableDebugInfo(const DebugContext&, const onnx::ValueInfoProto&, const TensorInfo&)
      : DebugInfo(emulator::absent<const DebugContext>("popart::OnnxVariableDebugInfo"),
                  emulator::absent<const std::string>("popart::OnnxVariableDebugInfo")) {}
};

}  // namespace popart

#endif  // popart_onnxdebuginfo_hpp
