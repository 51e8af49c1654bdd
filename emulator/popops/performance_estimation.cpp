#include <popops/PerformanceEstimation.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace popops {
namespace internal {

using poplar::Target;
using poplar::Type;
using poplar::VertexPerfEstimate;

namespace {

[[noreturn]] void refuse(const char* function) {
  throw poputil::poplibs_error(std::string("popops::internal::") + function +
                               ": estimates of poplibs' own vertices are not emulated");
}

}  // namespace

std::uint64_t basicOpSupervisorOverhead(const bool) { refuse("basicOpSupervisorOverhead"); }
std::uint64_t basicOpLoopCycles(const unsigned, const unsigned, const unsigned) {
  refuse("basicOpLoopCycles");
}
std::uint64_t binaryOpInnerLoopCycles(const Target&, const Type&, const unsigned, const bool,
                                      const unsigned, const std::uint64_t) {
  refuse("binaryOpInnerLoopCycles");
}
std::uint64_t getDynamicSlice1DEstimate(const Target&, const Type&, const unsigned,
                                        const unsigned) {
  refuse("getDynamicSlice1DEstimate");
}
std::uint64_t getBinaryOp1DInPlaceEstimate(const Target&, const Type&, const expr::BinaryOpType,
                                           const unsigned) {
  refuse("getBinaryOp1DInPlaceEstimate");
}
std::uint64_t getMultiSliceCycleEstimate(const MultiSliceTargetParameters&, const unsigned,
                                         const unsigned, const unsigned, const unsigned, const bool,
                                         const bool, const bool) {
  refuse("getMultiSliceCycleEstimate");
}
std::uint64_t getMultiUpdateOpCycleEstimate(const MultiUpdateOpTargetParameters&, bool,
                                            const unsigned, const unsigned, const unsigned,
                                            const unsigned, const Operation, const bool, const bool,
                                            const bool) {
  refuse("getMultiUpdateOpCycleEstimate");
}
std::uint64_t getCast2DCycleEstimate(const CastTargetParameters&, const Type&, const Type&,
                                     std::vector<unsigned>&) {
  refuse("getCast2DCycleEstimate");
}
std::uint64_t getCast1DSingleWorkerCycleEstimate(const CastTargetParameters&, const Type&,
                                                 const Type&, const unsigned) {
  refuse("getCast1DSingleWorkerCycleEstimate");
}
std::uint64_t getCast1DCycleEstimate(const CastTargetParameters&, const Type&, const Type&,
                                     const unsigned) {
  refuse("getCast1DCycleEstimate");
}
std::uint64_t getFill1DCycleEstimate(const FillTargetParameters&, const Type&, const unsigned) {
  refuse("getFill1DCycleEstimate");
}
std::uint64_t getFill2DCycleEstimate(const FillTargetParameters&, const Type&,
                                     const std::vector<unsigned>&) {
  refuse("getFill2DCycleEstimate");
}
std::uint64_t getScaledArithmeticSupervisorCycleEstimate(const ScaledArithmeticTargetParameters&,
                                                         const Type&, const Type&, const bool,
                                                         const ScaledArithmeticOp,
                                                         const poplar::layout::Vector&,
                                                         const poplar::layout::Vector&,
                                                         const unsigned) {
  refuse("getScaledArithmeticSupervisorCycleEstimate");
}
VertexPerfEstimate broadcastArithmetic1DCycleEstimate(const Target&, expr::BinaryOpType,
                                                      const Type&, const Type&, bool, std::size_t) {
  refuse("broadcastArithmetic1DCycleEstimate");
}
VertexPerfEstimate broadcastArithmeticCycleEstimate(const Target&, expr::BinaryOpType, const Type&,
                                                    const Type&, bool, bool,
                                                    const std::vector<std::size_t>&) {
  refuse("broadcastArithmeticCycleEstimate");
}

}  // namespace internal
}  // namespace popops
