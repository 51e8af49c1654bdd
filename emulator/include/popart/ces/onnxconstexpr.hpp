#ifndef popart_ces_onnxconstexpr_hpp
#define popart_ces_onnxconstexpr_hpp

#include <popart/emulator/absent.hpp>

namespace onnx {
class NodeProto;
}  // namespace onnx

namespace popart {

class Graph;
class OnnxConstExprUtil {
 public:
  static bool isConst(const onnx::NodeProto&) {
    emulator::missing("popart::OnnxConstExprUtil::isConst");
  }
  static void processNode(const onnx::NodeProto&, Graph*) {
    emulator::missing("popart::OnnxConstExprUtil::processNode");
  }
};

}  // namespace popart

#endif  // popart_ces_onnxconstexpr_hpp
