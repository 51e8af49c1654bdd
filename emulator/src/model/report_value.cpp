// A report as values, and the file that it is written to.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <poplar/Engine.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/Version.hpp>
#include <pva/pva.hpp>

#include "api/access.hpp"
#include "model/profile.hpp"
#include "run/executor.hpp"

namespace poplar {
namespace emulator {

namespace {

ProfileValue valueOf(const VertexCounts::ByType& counts) {
  ProfileValue::Map out;
  for (const auto& entry : counts) out.insert({entry.first, ProfileValue(entry.second)});
  return out;
}

ProfileValue compilationValue(const Image& image, const Profile& profile) {
  const Target& target = image.target;
  const size_t tiles = image.bytes_per_tile.size();
  VertexCounts counts;
  if (image.vertices) counts = *image.vertices;
  counts.by_plan.resize(image.compute_plans.size());
  counts.by_tile.resize(tiles);
  ProfileValue::Vector tile_values, compute_sets;
  for (size_t t = 0; t < tiles; ++t) {
    ProfileValue::Map category;
    for (const auto& kind : profile.bytesPerTile) category[kind.first] = kind.second[t];
    tile_values.push_back(
        ProfileValue::Map{{"category", category},
                          {"alwaysLiveBytes", profile.alwaysLiveBytesPerTile[t]},
                          {"notAlwaysLiveBytes", profile.notAlwaysLiveBytesPerTile[t]},
                          {"vertices", valueOf(counts.by_tile[t])}});
  }
  for (size_t i = 0; i < image.compute_plans.size(); ++i) {
    compute_sets.push_back(ProfileValue::Map{{"name", image.compute_plans[i].name},
                                             {"vertices", valueOf(counts.by_plan[i])}});
  }
  return ProfileValue::Map{
      {"target", ProfileValue::Map{{"numTiles", target.getNumTiles()},
                                   {"numIPUs", target.getNumIPUs()},
                                   {"bytesPerTile", target.getBytesPerTile()},
                                   {"clockFrequency", target.getTileClockFrequency()},
                                   {"architecture", target.getTargetArchString()}}},
      {"graph", ProfileValue::Map{{"numComputeSets", profile.numComputeSets},
                                  {"numEdges", profile.numEdges},
                                  {"numVars", profile.numVariables},
                                  {"numVertices", profile.numVertices}}},
      {"tiles", tile_values},
      {"computeSets", compute_sets}};
}

ProfileValue stepsValue(const Profile& profile) {
  ProfileValue::Vector out;
  for (const StepProfile& s : profile.steps) {
    if (s.runs == 0) continue;
    const ProfileValue::Vector by_tile(s.computeByTile.begin(), s.computeByTile.end());
    out.push_back(ProfileValue::Map{{"kind", s.kind},
                                    {"name", s.name},
                                    {"runs", s.runs},
                                    {"cycles", s.cycles.total() * static_cast<double>(s.runs)},
                                    {"cyclesByTile", by_tile}});
  }
  return out;
}

// Adds the fields of a group's vertices that are connected to nothing that has a size.
void countEmptyFields(const GraphData& graph, const VertexGroup& group,
                      VertexCounts::ByType& counts) {
  const VertexType& type = graph.types[group.type];
  const auto count = [&](size_t field, uint64_t vertices) {
    if (vertices > 0)
      counts[std::string(type.info->name) + "." + type.fields[field].info->name] += vertices;
  };
  for (const Edge& edge : group.edges) count(edge.field, edge.size == 0 ? 1 : 0);
  for (size_t field = 0; field < type.fields.size(); ++field) {
    const bool rows = type.fields[field].hasRows();
    std::vector<char> sized(group.count(), !rows);
    for (const FieldSize& size : group.sizes)
      if (size.field == field) sized[size.index] = size.size > 0;
    count(field, static_cast<uint64_t>(std::count(sized.begin(), sized.end(), 0)));
  }
}

}  // namespace

VertexCounts countVertices(const GraphData& graph, const Image& image) {
  VertexCounts out;
  out.by_plan.resize(image.compute_plans.size());
  out.by_tile.resize(image.bytes_per_tile.size());
  for (size_t i = 0; i < image.compute_plans.size(); ++i) {
    for (uint32_t g : graph.compute_sets[image.compute_plans[i].compute_set].groups) {
      const VertexGroup& group = graph.groups[g];
      const char* const type = graph.types[group.type].info->name;
      out.by_plan[i][type] += group.count();
      countEmptyFields(graph, group, out.empty_fields);
      for (uint32_t tile : group.tiles) {
        if (tile < out.by_tile.size()) ++out.by_tile[tile][type];
      }
    }
  }
  return out;
}

ProfileValue reportValue(Image& image, const std::vector<uint64_t>& executed,
                         const BlockTrace& trace, bool execution) {
  if (!image.vertices && image.graph) {
    if (const auto graph = image.graph->get()) {
      image.vertices = std::make_shared<const VertexCounts>(countVertices(*graph, image));
    }
  }
  execution = execution && image.target.getTargetType() != TargetType::CPU;
  if (execution) findCosts(image);
  const Profile profile = execution ? makeProfile(image, executed) : graphProfile(image);
  return ProfileValue::Map{{"poplarVersion", versionString()},
                           {"compilation", compilationValue(image, profile)},
                           {"steps", stepsValue(profile)},
                           {"blocks", execution ? trace.value() : ProfileValue::Vector()}};
}

void writeReport(Image& image, const std::vector<uint64_t>& executed, const BlockTrace& trace,
                 const std::string& directory) {
  std::filesystem::create_directories(directory);
  std::ofstream out(directory + "/profile.pop");
  serializeToJSON(out, reportValue(image, executed, trace, true));
}

}  // namespace emulator

pva::Report Engine::getReport(bool reportExecution) const {
  emulator::Executor& executor = emulator::Access::executor(*this, "Engine::getReport");
  return pva::Report(emulator::reportValue(executor.image(), executor.executed(), executor.trace(),
                                           reportExecution));
}

}  // namespace poplar
