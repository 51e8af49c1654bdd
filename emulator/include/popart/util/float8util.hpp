#ifndef popart_util_float8util_hpp
#define popart_util_float8util_hpp

#include <popart/datatype.hpp>
#include <popart/emulator/absent.hpp>
#include <popart/names.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/Tensor.hpp>
#include <string>

namespace popart {

class TensorIndexMap;
inline bool isFloat8(DataType) { emulator::missing("popart::isFloat8"); }

inline void validateOpFloat8Inputs(const TensorIndexMap*, const InIndex, std::string) {
  emulator::missing("popart::validateOpFloat8Inputs");
}

inline poplar::Tensor reinterpretCastUInt8ToQuarter(poplar::Graph&, poplar::Tensor&,
                                                    poplar::Tensor&, poplar::program::Sequence&,
                                                    poplar::DebugContext = {}) {
  emulator::missing("popart::reinterpretCastUInt8ToQuarter");
}

inline poplar::Tensor reinterpretCastUInt8ToQuarter(poplar::Graph&, poplar::Tensor&,
                                                    poplar::QuarterMetadata::Format,
                                                    poplar::Tensor&, poplar::program::Sequence&,
                                                    poplar::DebugContext = {}) {
  emulator::missing("popart::reinterpretCastUInt8ToQuarter");
}

inline poplar::Tensor reinterpretCastUInt8ToQuarter(poplar::Graph&, poplar::Tensor&,
                                                    poplar::QuarterMetadata::Format, int,
                                                    poplar::program::Sequence&,
                                                    poplar::DebugContext = {}) {
  emulator::missing("popart::reinterpretCastUInt8ToQuarter");
}

inline poplar::program::Sequence createAssertLog2ScaleInRangeProg(poplar::Graph&, poplar::Tensor&,
                                                                  int, int,
                                                                  poplar::DebugContext = {}) {
  emulator::missing("popart::createAssertLog2ScaleInRangeProg");
}

inline poplar::QuarterMetadata::Format toPoplarQuarterFormat(DataType) {
  emulator::missing("popart::toPoplarQuarterFormat");
}

inline bool opInputsAreValidPow2ScaledInputs(const TensorIndexMap*, const InIndex) {
  emulator::missing("popart::opInputsAreValidPow2ScaledInputs");
}

}  // namespace popart

#endif  // popart_util_float8util_hpp
