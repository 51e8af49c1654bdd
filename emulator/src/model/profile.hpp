// From the costs of an image's instructions and how often each ran, to a profile and its text.
#pragma once
#include <cstdint>
#include <ostream>
#include <poplar/ProfileValue.hpp>
#include <poplar/emulator/Profile.hpp>
#include <string>
#include <vector>

#include "compile/image.hpp"
#include "run/block_trace.hpp"

namespace poplar {
namespace emulator {

// Fills Image::costs unless they are known. Throws where the graph that the image was made from is
// gone or changed, and what CycleModel throws.
void findCosts(Image& image);

// The static profile, which needs neither a run nor costs.
Profile graphProfile(const Image& image);

// [instruction]: how often it ran. The costs must be known.
Profile makeProfile(const Image& image, const std::vector<uint64_t>& executed);

// The vertices of the graph that the image was made from.
VertexCounts countVertices(const GraphData& graph, const Image& image);

// What a pva::Report is made from; with the steps that ran, where `execution`.
ProfileValue reportValue(Image& image, const std::vector<uint64_t>& executed,
                         const BlockTrace& trace, bool execution);
// The same as a file "profile.pop" of the directory, which is made.
void writeReport(Image& image, const std::vector<uint64_t>& executed, const BlockTrace& trace,
                 const std::string& directory);

void printSummary(std::ostream& out, const Image& image, const Profile& profile, bool steps);

}  // namespace emulator
}  // namespace poplar
