#ifndef popfloat_experimental_GfloatExprUtil_hpp
#define popfloat_experimental_GfloatExprUtil_hpp

#include <popfloat/experimental/GfloatExpr.hpp>
#include <poplar/Type.hpp>
#include <poputil/VertexTemplates.hpp>
#include <string>

namespace popfloat {
namespace experimental {

/// Names of the enumerators, and the type of Poplar that a SpecType stands for (BF16 is kept as
/// float; AUTO stands for none and throws).
std::string roundTypeToString(RoundType rmode);
std::string formatTypeToString(FormatType fmt);
std::string srDensityTypeToString(SRDensityType dist);
std::string specTypeToString(SpecType specType);
poplar::Type specTypeToPoplarType(SpecType specType);

}  // namespace experimental
}  // namespace popfloat

namespace poputil {

#define POPFLOAT_ENUM_IN_VERTEX_NAMES(Enum, function)                                     \
  template <>                                                                             \
  struct VertexTemplateToString<popfloat::experimental::Enum> {                           \
    static std::string to_string(const popfloat::experimental::Enum& x) {                 \
      return "popfloat::experimental::" #Enum "::" + popfloat::experimental::function(x); \
    }                                                                                     \
  };
POPFLOAT_ENUM_IN_VERTEX_NAMES(RoundType, roundTypeToString)
POPFLOAT_ENUM_IN_VERTEX_NAMES(FormatType, formatTypeToString)
POPFLOAT_ENUM_IN_VERTEX_NAMES(SRDensityType, srDensityTypeToString)
POPFLOAT_ENUM_IN_VERTEX_NAMES(SpecType, specTypeToString)
#undef POPFLOAT_ENUM_IN_VERTEX_NAMES

}  // namespace poputil

#endif  // popfloat_experimental_GfloatExprUtil_hpp
