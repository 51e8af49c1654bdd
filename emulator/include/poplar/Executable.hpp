#ifndef poplar_Executable_hpp
#define poplar_Executable_hpp

#include <cstddef>
#include <functional>
#include <istream>
#include <memory>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <vector>

namespace poplar {

namespace emulator {
struct Image;
}

/// Reports progress of a compilation: steps done, steps in total.
typedef std::function<void(int, int)> ProgressFunc;

/// A compiled graph with its control programs, ready for an Engine.
class Executable {
 public:
  /// Nothing, until a compiled graph is moved here.
  Executable() noexcept;
  Executable(Executable&& other) noexcept;
  Executable& operator=(Executable&& other) noexcept;
  ~Executable();

  /// Writes what deserialize reads. Throws `poplar_error` for CPU and IPU_MODEL targets.
  void serialize(std::ostream& out) const;
  static Executable deserialize(std::istream& in, bool checkPackageHash = true);
  static Executable deserialize(std::unique_ptr<std::istream> in, bool checkPackageHash = true);

  /// Bytes that each tile holds: with the option debug.allowOutOfMemory maybe more than it has.
  const std::vector<std::size_t>& getBytesPerTile() const;
  /// Whether no tile holds more than it has memory for.
  bool fitsMemory() const;

 private:
  friend class Engine;
  friend Executable compileGraph(const Graph& graph, ArrayRef<program::Program> programs,
                                 const OptionFlags& options, ProgressFunc progress,
                                 const DebugContext& debugContext);
  explicit Executable(std::unique_ptr<emulator::Image> image);
  Executable remake() const;
  std::unique_ptr<emulator::Image> image_;
};

/// Checks the graph and compiles the programs. The graph may change or go afterwards.
Executable compileGraph(const Graph& graph, ArrayRef<program::Program> programs,
                        const OptionFlags& options = {}, ProgressFunc progress = ProgressFunc(),
                        const DebugContext& debugContext = {});

}  // namespace poplar

#endif  // poplar_Executable_hpp
