#include "strict/strict.hpp"

#include <algorithm>
#include <numeric>
#include <poplar/Vertex.hpp>
#include <poplar/exceptions.hpp>

#include "compile/image.hpp"
#include "errors/errors.hpp"
#include "errors/errors_text.hpp"
#include "strict/strict_workers.hpp"

namespace poplar {
namespace emulator {
namespace errors {

namespace {

// "0, 2 and 5"
std::string workersText(unsigned workers) {
  std::string out;
  for (unsigned w = 0; workers != 0; ++w, workers >>= 1) {
    if ((workers & 1) == 0) continue;
    out += text(out.empty() ? "" : workers == 1 ? " and " : ", ", w);
  }
  return out;
}

[[noreturn]] void inputChanged(const FieldName& field, size_t element, size_t tile) {
  throw application_runtime_error(text(field.text(), " expected the vertex to leave its input, ",
                                       "got element ", element, " changed on tile ", tile));
}

[[noreturn]] void workersWrite(const FieldName& field, size_t element, size_t tile,
                               unsigned workers) {
  throw application_runtime_error(text(field.text(), " expected each element to be written by ",
                                       "one worker, got element ", element, " written by workers ",
                                       workersText(workers), " on tile ", tile));
}

[[noreturn]] void workersWriteSameWord(const FieldName& field, size_t element, size_t tile,
                                       unsigned workers) {
  throw application_runtime_error(
      text(field.text(), " expected each 32-bit word to be written by one worker, got the word of ",
           "element ", element, " written in part by workers ", workersText(workers), " on tile ",
           tile));
}

[[noreturn]] void workersDepend(const FieldName& field, size_t element, size_t tile) {
  throw application_runtime_error(
      text(field.text(), " expected no worker to read what another writes, got another value in ",
           "element ", element, " on tile ", tile, " when the workers ran in another order"));
}

}  // namespace

}  // namespace errors

namespace {

constexpr unsigned kWorkers = MultiVertex::numWorkers();
constexpr uintptr_t kWord = 4;  // bytes that a tile stores at once

using Region = CheckedRegion;

// The bytes that a vertex may write, of edges and state: those of regions that meet or overlap are
// one block, so that no byte is in two.
struct Written {
  char* address;
  size_t bytes;
  std::vector<unsigned char> workers;  // [byte]: the set of those that changed it
};

std::vector<char> contents(const std::vector<Written>& blocks) {
  std::vector<char> out;
  for (const Written& b : blocks) out.insert(out.end(), b.address, b.address + b.bytes);
  return out;
}

void restore(const std::vector<Written>& blocks, const std::vector<char>& contents) {
  const char* from = contents.data();
  for (const Written& b : blocks) {
    std::memcpy(b.address, from, b.bytes);
    from += b.bytes;
  }
}

std::vector<Written> writtenBlocks(const std::vector<Region>& regions) {
  std::vector<Written> out;
  for (const Region& r : regions) {
    if (r.role != Region::READ) out.push_back({r.address, r.bytes, {}});
  }
  std::sort(out.begin(), out.end(),
            [](const Written& a, const Written& b) { return a.address < b.address; });
  size_t n = 0;
  for (const Written& b : out) {
    if (n != 0 && b.address <= out[n - 1].address + out[n - 1].bytes) {
      char* const end = std::max(out[n - 1].address + out[n - 1].bytes, b.address + b.bytes);
      out[n - 1].bytes = static_cast<size_t>(end - out[n - 1].address);
    } else {
      out[n++] = b;
    }
  }
  out.resize(n);
  return out;
}

// One vertex while it runs.
class CheckedVertex {
 public:
  CheckedVertex(const ComputePlan& plan, const CheckedBatch& batch, uint32_t tile)
      : plan_(plan), batch_(batch), tile_(tile) {}

  void add(const Region& r, char* scratch) {
    regions_.push_back(r);
    if (r.gathered) {
      regions_.back().address = scratch + reinterpret_cast<uintptr_t>(r.address);
    }
    for (const Region::TileRange& p : r.undefined) {
      poison(regions_.back().address + p.begin, p.bytes);
    }
  }

  void run(const Batch& b, char* object, WorkerTurns& turns) {
    written_ = writtenBlocks(regions_);
    std::vector<char> inputs;
    for (const Region& r : regions_) {
      if (r.role == Region::READ) inputs.insert(inputs.end(), r.address, r.address + r.bytes);
    }
    if (batch_.type->run_worker == nullptr) {
      b.run(object, 1);
    } else {
      runWorkers(object, turns);
    }
    checkInputs(inputs);
  }

 private:
  errors::FieldName name(const Region& r) const {
    return {"compute set '" + plan_.name + "'", batch_.type->name,
            batch_.type->fields[r.field].name};
  }

  const Written* find(const char* byte) const {
    auto it = std::upper_bound(written_.begin(), written_.end(), byte,
                               [](const char* at, const Written& b) { return at < b.address; });
    if (it == written_.begin()) return nullptr;
    --it;
    return byte < it->address + it->bytes ? &*it : nullptr;
  }

  const Region& regionOf(const char* byte) const {
    return *std::find_if(regions_.begin(), regions_.end(), [&](const Region& r) {
      return r.role != Region::READ && byte >= r.address && byte < r.address + r.bytes;
    });
  }

  // An input may alias an output: those elements may change.
  void checkInputs(const std::vector<char>& before) const {
    const char* from = before.data();
    for (const Region& r : regions_) {
      if (r.role != Region::READ) continue;
      for (size_t i = 0; i < r.bytes; ++i) {
        if (r.address[i] == from[i] || find(r.address + i) != nullptr) continue;
        errors::inputChanged(name(r), i / r.element_size, tile_);
      }
      from += r.bytes;
    }
  }

  // Of workers that run at the same time it is not known which one writes.
  void runWorker(char* object, unsigned worker, const WorkerTurns& turns) {
    const std::vector<char> before = contents(written_);
    batch_.type->run_worker(object, worker);
    if (turns.overlapped()) return;
    const char* from = before.data();
    for (Written& b : written_) {
      for (size_t i = 0; i < b.bytes; ++i) {
        if (b.address[i] != from[i]) b.workers[i] |= static_cast<unsigned char>(1u << worker);
      }
      from += b.bytes;
    }
  }

  // In two orders from the same state. A write of the value that was there is not seen; where two
  // workers write one value, each is seen in the order where it is the first.
  void runWorkers(char* object, WorkerTurns& turns) {
    const auto run = [&](unsigned worker) { runWorker(object, worker, turns); };
    for (Written& b : written_) b.workers.assign(b.bytes, 0);
    const std::vector<char> before = contents(written_);
    std::vector<unsigned> order(kWorkers);
    std::iota(order.rbegin(), order.rend(), 0u);
    turns.run(order, run);
    const std::vector<char> descending = contents(written_);
    restore(written_, before);
    std::reverse(order.begin(), order.end());
    turns.run(order, run);
    for (const Written& b : written_) checkWords(b);
    const char* other = descending.data();
    for (const Written& b : written_) {
      const char* const at = std::mismatch(b.address, b.address + b.bytes, other).first;
      if (at != b.address + b.bytes) {
        const Region& r = regionOf(at);
        errors::workersDepend(name(r), element(r, at), tile_);
      }
      other += b.bytes;
    }
  }

  static size_t element(const Region& r, const char* byte) {
    return static_cast<size_t>(byte - r.address) / r.element_size;
  }

  static bool several(unsigned workers) { return (workers & (workers - 1)) != 0; }

  void checkWords(const Written& b) const {
    for (size_t i = 0; i < b.bytes;) {
      const size_t word_end =
          std::min(b.bytes, i + (kWord - reinterpret_cast<uintptr_t>(b.address + i) % kWord));
      unsigned workers = 0;
      for (size_t k = i; k < word_end; ++k) workers |= b.workers[k];
      if (several(workers)) failWord(b, i, word_end, workers);
      i = word_end;
    }
  }

  [[noreturn]] void failWord(const Written& b, size_t begin, size_t end, unsigned workers) const {
    while (b.workers[begin] == 0) ++begin;
    for (size_t i = begin; i < end; ++i) {
      const Region& r = regionOf(b.address + i);
      const size_t e = element(r, b.address + i);
      const size_t first = static_cast<size_t>(r.address - b.address) + e * r.element_size;
      unsigned of_element = 0;
      for (size_t k = 0; k < r.element_size; ++k) of_element |= b.workers[first + k];
      if (several(of_element)) errors::workersWrite(name(r), e, tile_, of_element);
    }
    const Region& r = regionOf(b.address + begin);
    errors::workersWriteSameWord(name(r), element(r, b.address + begin), tile_, workers);
  }

  const ComputePlan& plan_;
  const CheckedBatch& batch_;
  const uint32_t tile_;
  std::vector<Region> regions_;
  std::vector<Written> written_;
};

}  // namespace

void runStrict(const ComputePlan& plan, char* scratch, const std::function<void()>& between) {
  const intptr_t base = reinterpret_cast<intptr_t>(scratch);
  WorkerTurns turns;
  for (size_t k = 0; k < plan.batches.size(); ++k) {
    const Batch& b = plan.batches[k];
    const CheckedBatch& checked = plan.checked[k];
    auto region = checked.regions.begin();
    for (uint32_t v = 0; v < b.count; ++v) {
      if (b.gathers) {
        runMoves(b.moves.data() + b.first_move[v], b.last_move[v] - b.first_move[v], 0, base);
      }
      CheckedVertex vertex(plan, checked, checked.tiles[v]);
      for (; region != checked.regions.end() && region->vertex == v; ++region) {
        vertex.add(*region, scratch);
      }
      vertex.run(b, b.objects + v * b.size, turns);
      if (b.gathers) {
        runMovesBack(b.moves.data() + b.first_written[v], b.last_move[v] - b.first_written[v], 0,
                     base);
      }
      between();
    }
  }
}

}  // namespace emulator
}  // namespace poplar
