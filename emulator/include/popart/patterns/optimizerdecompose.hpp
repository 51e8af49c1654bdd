#ifndef popart_patterns_optimizerdecompose_hpp
#define popart_patterns_optimizerdecompose_hpp

#include <popart/datatype.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <popart/op/accumulate.hpp>
#include <popart/optimizervalue.hpp>
#include <popart/patterns/pattern.hpp>
#include <popart/tensorinfo.hpp>
#include <popart/variablesettings.hpp>
#include <string>
#include <utility>
#include <vector>

namespace popart {

class Graph;
class Op;
class OptimizerDecompose : public PreAliasPattern {
 protected:
  TensorInfo addStateTensor(Graph&, const TensorId&, const Shape&, const DataType&,
                            const VariableSettings&, float = 0.0) const {
    emulator::missing("popart::OptimizerDecompose::addStateTensor");
  }
  template <typename T>
  void addStateTensor(Graph&, const TensorId&, const TensorInfo, const VariableSettings&,
                      float = 0.0) const {
    emulator::missing("popart::OptimizerDecompose::addStateTensor");
  }
  std::pair<Op*, TensorId> accl(Graph&, Op*, TensorId, TensorId, AccumulationType, OptimizerValue,
                                TensorId, std::string, bool) const {
    emulator::missing("popart::OptimizerDecompose::accl");
  }
  TensorId gradAccum(Graph&, Op*, TensorId, TensorId, TensorId, bool, TensorId = "") const {
    emulator::missing("popart::OptimizerDecompose::gradAccum");
  }
  Op* zeroAccumulator(Graph&, Op*, std::vector<Op*>, TensorId) const {
    emulator::missing("popart::OptimizerDecompose::zeroAccumulator");
  }
  TensorId gradReduce(Graph&, Op*, TensorId, TensorId, TensorId = "") const {
    emulator::missing("popart::OptimizerDecompose::gradReduce");
  }
  TensorId gradCast(Graph&, Op*, TensorId, bool) const {
    emulator::missing("popart::OptimizerDecompose::gradCast");
  }
  TensorId gradUnscale(Graph&, Op*, const OptimizerValue&, TensorId, TensorId, bool) const {
    emulator::missing("popart::OptimizerDecompose::gradUnscale");
  }
  TensorId regularizeL2(Graph&, Op*, const OptimizerValue&, TensorId, TensorId, TensorId,
                        bool) const {
    emulator::missing("popart::OptimizerDecompose::regularizeL2");
  }
  bool runningMeanReduction(Graph&) const {
    emulator::missing("popart::OptimizerDecompose::runningMeanReduction");
  }
};

}  // namespace popart

#endif  // popart_patterns_optimizerdecompose_hpp
