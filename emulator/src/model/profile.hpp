// From the costs of an image's instructions and how often each ran, to a profile and its text.
#pragma once
#include <cstdint>
#include <ostream>
#include <poplar/emulator/Profile.hpp>
#include <vector>

#include "compile/image.hpp"

namespace poplar {
namespace emulator {

// Fills Image::costs unless they are known. Throws where the graph that the image was made from is
// gone or changed, and what CycleModel throws.
void findCosts(Image& image);

// The static profile, which needs neither a run nor costs.
Profile graphProfile(const Image& image);

// [instruction]: how often it ran. The costs must be known.
Profile makeProfile(const Image& image, const std::vector<uint64_t>& executed);

void printSummary(std::ostream& out, const Image& image, const Profile& profile, bool steps);

}  // namespace emulator
}  // namespace poplar
