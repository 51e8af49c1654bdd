#ifndef popart_transforms_transformbuilder_hpp
#define popart_transforms_transformbuilder_hpp

#include <cstdint>
#include <map>
#include <memory>
#include <popart/basicoptionals.hpp>
#include <popart/datatype.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/operators.hpp>
#include <popart/tensordebuginfo.hpp>
#include <string>
#include <vector>

namespace popart {

class Graph;
class Op;
class any;
struct OperatorIdentifier;
class TransformBuilder {
 public:
  TransformBuilder(Graph&) { emulator::missing("popart::TransformBuilder"); }
  Graph& getGraph() { emulator::missing("popart::TransformBuilder::getGraph"); }
  TensorId getNextId(const std::string&, OutIndex = 0) {
    emulator::missing("popart::TransformBuilder::getNextId");
  }
  Op* getProducer(TensorId) { emulator::missing("popart::TransformBuilder::getProducer"); }
  bool hasProducer(TensorId) { emulator::missing("popart::TransformBuilder::hasProducer"); }
  TensorId concat(std::vector<TensorId>&, int64_t, OptionalVGraphId, OptionalPipelineStage,
                  OptionalExecutionPhase, const std::string, const std::string) {
    emulator::missing("popart::TransformBuilder::concat");
  }
  void concat(std::vector<TensorId>&, int64_t, TensorId, OptionalVGraphId, OptionalPipelineStage,
              OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::concat");
  }
  TensorId concat(std::vector<TensorId>&, OptionalVGraphId, OptionalPipelineStage,
                  OptionalExecutionPhase, const std::string, const std::string) {
    emulator::missing("popart::TransformBuilder::concat");
  }
  void concat(std::vector<TensorId>&, TensorId, OptionalVGraphId, OptionalPipelineStage,
              OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::concat");
  }
  void sum(std::vector<TensorId>&, TensorId, OptionalVGraphId, OptionalPipelineStage,
           OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::sum");
  }
  TensorId addLhsInplace(std::vector<TensorId>&, OptionalVGraphId, OptionalPipelineStage,
                         OptionalExecutionPhase, const std::string, const std::string) {
    emulator::missing("popart::TransformBuilder::addLhsInplace");
  }
  void addLhsInplace(std::vector<TensorId>&, TensorId, OptionalVGraphId, OptionalPipelineStage,
                     OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::addLhsInplace");
  }
  TensorId matmul(TensorId, TensorId, OptionalVGraphId, OptionalPipelineStage,
                  OptionalExecutionPhase, const std::string, const std::string,
                  std::map<std::string, popart::any> = {},
                  const OperatorIdentifier = Onnx::Operators::MatMul_1) {
    emulator::missing("popart::TransformBuilder::matmul");
  }
  void cast(TensorId, TensorId, DataType, OptionalVGraphId, OptionalPipelineStage,
            OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::cast");
  }
  TensorId squeeze(TensorId, const Shape&, OptionalVGraphId, OptionalPipelineStage,
                   OptionalExecutionPhase, const std::string, const std::string) {
    emulator::missing("popart::TransformBuilder::squeeze");
  }
  void squeeze(TensorId, const Shape&, TensorId, OptionalVGraphId, OptionalPipelineStage,
               OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::squeeze");
  }
  TensorId slice(TensorId, const Shape&, const Shape&, const Shape&, OptionalVGraphId,
                 OptionalPipelineStage, OptionalExecutionPhase, const std::string,
                 const std::string) {
    emulator::missing("popart::TransformBuilder::slice");
  }
  TensorId sliceInPlace(TensorId, const Shape&, const Shape&, const Shape&, OptionalVGraphId,
                        OptionalPipelineStage, OptionalExecutionPhase, const std::string,
                        const std::string) {
    emulator::missing("popart::TransformBuilder::sliceInPlace");
  }
  void slice(TensorId, const Shape&, const Shape&, const Shape&, TensorId, OptionalVGraphId,
             OptionalPipelineStage, OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::slice");
  }
  TensorId transpose(TensorId, Shape, OptionalVGraphId, OptionalPipelineStage,
                     OptionalExecutionPhase, const std::string, const std::string) {
    emulator::missing("popart::TransformBuilder::transpose");
  }
  void transpose(TensorId, Shape, TensorId, OptionalVGraphId, OptionalPipelineStage,
                 OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::transpose");
  }
  TensorId reshape(TensorId, Shape, OptionalVGraphId, OptionalPipelineStage, OptionalExecutionPhase,
                   const std::string, const std::string) {
    emulator::missing("popart::TransformBuilder::reshape");
  }
  TensorId reducesum(TensorId, int64_t, std::vector<int64_t>, OptionalVGraphId,
                     OptionalPipelineStage, OptionalExecutionPhase, const std::string,
                     const std::string) {
    emulator::missing("popart::TransformBuilder::reducesum");
  }
  std::vector<TensorId> split(TensorId, int64_t, std::vector<int64_t>, OptionalVGraphId,
                              OptionalPipelineStage, OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::split");
  }
  TensorId add(std::vector<TensorId>&, OptionalVGraphId, OptionalPipelineStage,
               OptionalExecutionPhase, const std::string, const std::string) {
    emulator::missing("popart::TransformBuilder::add");
  }
  void unsqueeze(TensorId, std::vector<int64_t>, TensorId, OptionalVGraphId, OptionalPipelineStage,
                 OptionalExecutionPhase, const std::string) {
    emulator::missing("popart::TransformBuilder::unsqueeze");
  }
};

}  // namespace popart

#endif  // popart_transforms_transformbuilder_hpp
