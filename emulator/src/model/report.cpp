// The text of printProfileSummary.
#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <numeric>

#include "model/profile.hpp"

namespace poplar {
namespace emulator {

namespace {

// 1234567.8 as 1,234,567.8
std::string grouped(double value, int decimals) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), "%.*f", decimals, value);
  std::string text = buffer;
  size_t at = std::min(text.find('.'), text.size());
  while (at > 3) text.insert(at -= 3, ",");
  return text;
}

std::string grouped(size_t value) { return grouped(static_cast<double>(value), 0); }

std::string bytesText(double bytes) {
  if (bytes >= 1024 * 1024) return grouped(bytes / (1024 * 1024), 1) + " MB";
  if (bytes >= 1024) return grouped(bytes / 1024, 1) + " kB";
  return grouped(bytes, 0) + " B";
}

std::string bytesText(size_t bytes) { return bytesText(static_cast<double>(bytes)); }

size_t sum(const std::vector<size_t>& list) {
  return std::accumulate(list.begin(), list.end(), size_t{0});
}

void line(std::ostream& out, const std::string& label, const std::string& value) {
  out << "  " << std::left << std::setw(29) << label << std::right << value << '\n';
}

void printTarget(std::ostream& out, const Target& target) {
  const size_t tiles = target.getNumTiles(), per_tile = target.getBytesPerTile();
  out << "Target:\n";
  line(out, "Type:", toString(target.getTargetType()) + ", emulated: all figures are modelled");
  line(out, "Architecture:", target.getTargetArchString());
  line(out, "Number of IPUs:", grouped(target.getNumIPUs()));
  line(out, "Tiles per IPU:", grouped(target.getTilesPerIPU()));
  line(out, "Total Tiles:", grouped(tiles));
  line(out, "Memory Per-Tile:", bytesText(per_tile));
  line(out, "Total Memory:", bytesText(tiles * per_tile));
  line(out, "Clock Speed (approx):", grouped(target.getTileClockFrequency() / 1e6, 1) + " MHz");
}

void printGraph(std::ostream& out, const Profile& profile) {
  out << "\nGraph:\n";
  line(out, "Number of vertices:", grouped(profile.numVertices));
  line(out, "Number of edges:", grouped(profile.numEdges));
  line(out, "Number of variables:", grouped(profile.numVariables));
  line(out, "Number of compute sets:", grouped(profile.numComputeSets));
}

void printMemory(std::ostream& out, const Image& image, const Profile& profile) {
  const std::vector<size_t>& total = image.bytes_per_tile;
  const auto fullest = std::max_element(total.begin(), total.end());
  const double mean = static_cast<double>(sum(total)) / static_cast<double>(total.size());
  const double percent = 100.0 * static_cast<double>(sum(total)) /
                         (static_cast<double>(total.size()) * image.target.getBytesPerTile());
  out << "\nMemory Usage:\n";
  line(out, "Total:", bytesText(sum(total)) + " (" + grouped(percent, 1) + "% of all tiles)");
  line(out, "Largest tile:",
       bytesText(*fullest) + " (tile " + grouped(static_cast<size_t>(fullest - total.begin())) +
           (image.fits ? ")" : "): more than it has"));
  line(out, "Average tile:", bytesText(mean));
  const size_t at = static_cast<size_t>(fullest - total.begin());
  out << "  By kind (total, on the largest tile), without control and exchange code:\n";
  const auto both = [&](const std::vector<size_t>& bytes) {
    return bytesText(sum(bytes)) + ", " + bytesText(bytes[at]);
  };
  line(out, "Always live:", both(profile.alwaysLiveBytesPerTile));
  line(out, "Not always live:", both(profile.notAlwaysLiveBytesPerTile));
  for (size_t k = 0; k < kMemoryKinds; ++k) {
    const char* kind = name(static_cast<MemoryKind>(k));
    line(out, "  " + std::string(kind) + ":", both(profile.bytesPerTile.at(kind)));
  }
}

void printCycles(std::ostream& out, const char* label, double cycles, double total) {
  const double percent = total == 0 ? 0 : 100 * cycles / total;
  out << "  " << std::left << std::setw(54) << label << std::right << grouped(cycles, 1) << " ("
      << grouped(percent, 1) << "% of total)\n";
}

void printExecution(std::ostream& out, const Target& target, const Profile& profile) {
  const CyclesByKind& c = profile.cycles;
  const double total = c.total();
  out << "\nExecution:\n\nPrograms executed:\n\n<anonymous>.\n\n";
  out << "  " << std::left << std::setw(54) << "Total cycles:" << std::right << grouped(total, 0)
      << " (approx " << grouped(1e6 * total / target.getTileClockFrequency(), 1)
      << " microseconds)\n";
  printCycles(out, "Tile average compute cycles (including idle threads):", c.compute, total);
  printCycles(out, "Tile average compute cycles (excluding idle threads):", c.computeBusy, total);
  printCycles(out, "Tile average IPU exchange cycles:", c.exchange, total);
  printCycles(out, "Tile average global exchange cycles:", c.globalExchange, total);
  printCycles(out, "Tile average host exchange cycles:", c.hostExchange, total);
  printCycles(out, "Tile average sync cycles:", c.sync + c.wait, total);
  if (profile.verticesWithoutEstimate != 0) {
    out << "  " << grouped(profile.verticesWithoutEstimate)
        << " vertices have no estimate and count as 0 cycles.\n";
  }
}

void printSteps(std::ostream& out, const Profile& profile) {
  out << "\nExecution steps (runs, then cycles of one run: total, compute of the slowest tile,\n"
         "exchange, host, sync):\n\n";
  for (const StepProfile& s : profile.steps) {
    const CyclesByKind& c = s.cycles;
    out << "  " << s.kind << (s.name.empty() ? "" : " ") << s.name << ": " << grouped(s.runs)
        << " runs, " << grouped(c.total(), 0) << " cycles = " << grouped(c.compute + c.wait, 0)
        << " + " << grouped(c.exchange + c.globalExchange, 0) << " + " << grouped(c.hostExchange, 0)
        << " + " << grouped(c.sync, 0) << '\n';
  }
}

}  // namespace

void printSummary(std::ostream& out, const Image& image, const Profile& profile, bool steps) {
  printTarget(out, image.target);
  printGraph(out, profile);
  printMemory(out, image, profile);
  printExecution(out, image.target, profile);
  if (steps) printSteps(out, profile);
  out << std::flush;
}

}  // namespace emulator
}  // namespace poplar
