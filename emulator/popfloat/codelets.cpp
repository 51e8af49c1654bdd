#include <popfloat/experimental/codelets.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/cyclesTables.hpp>

#include "../poputil/library_codelets.hpp"

namespace popfloat {
namespace experimental {

using namespace poplar;

namespace {

// About what poplibs' loops take for two numbers of 32 bits or four of 16.
constexpr std::uint64_t kEntry = 60, kVector = 30;

VertexPerfEstimate ofField(const VertexIntrospector& vertex, const char* field) {
  const std::uint64_t n = vertex.getFieldInfo(field).size();
  return {kEntry + kVector * ((n + 1) / 2), 0};
}

VertexPerfEstimate ofOut(const VertexIntrospector& vertex, const Target&) {
  return ofField(vertex, "out");
}
VertexPerfEstimate ofInOut(const VertexIntrospector& vertex, const Target&) {
  return ofField(vertex, "inOut");
}
VertexPerfEstimate ofParam(const VertexIntrospector&, const Target&) { return {kEntry, 0}; }

}  // namespace

void addCodelets(Graph& graph) {
  poputil::internal::addLibraryCodelets(graph, reinterpret_cast<const void*>(&addCodelets));
  poputil::internal::PerfEstimatorTable table;
  const std::string here = "popfloat::experimental::";
  table.push_back({here + "CastParams", ofParam});
  const Type types[][2] = {{FLOAT, FLOAT}, {FLOAT, HALF}, {HALF, HALF}};
  for (const auto& t : types) {
    for (bool half : {false, true}) {
      if (!half && t[0] == HALF) continue;
      table.push_back({poputil::templateVertex(here + "CastToGfloat", t[0], t[1], half), ofOut});
      if (t[0] != t[1]) continue;
      table.push_back({poputil::templateVertex(here + "CastToGfloatInPlace", t[0], half), ofInOut});
    }
  }
  const Type packed[][2] = {{HALF, SIGNED_CHAR}, {FLOAT, SIGNED_CHAR}, {FLOAT, SHORT}};
  for (const auto& t : packed) {
    table.push_back({poputil::templateVertex(here + "PackGfloat", t[0], t[1]), ofOut});
    table.push_back({poputil::templateVertex(here + "UnpackGfloat", t[1], t[0]), ofOut});
  }
  poputil::internal::registerPerfFunctions(graph, table);
}

}  // namespace experimental
}  // namespace popfloat
