// Compiled once, and optimized, as the kernels are not.
#include <popsnn/races.cuh>

namespace popsnn {
namespace host {
namespace {

void join(Clock& to, const Clock& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] > to[i]) to[i] = from[i];
  }
}

std::size_t index(int thread) { return static_cast<std::size_t>(thread); }

}  // namespace

void Races::begin(int threads, int bytes) {
  const std::size_t count = index(threads);
  clocks_.assign(count, Clock(count));
  for (std::size_t i = 0; i < count; ++i) clocks_[i][i] = 1;
  bytes_ = static_cast<unsigned>(bytes);
  words_.assign(static_cast<std::size_t>(bytes / 4 + 4), Word{{0, 0}, {}});
}

void Races::release(int thread, Arrivals& to, unsigned number) {
  Arrivals::Round& round = to.of(number);
  if (round.number != number) round = {number, {}};
  join(round.clock, clocks_[index(thread)]);
  ++clocks_[index(thread)][index(thread)];
}

void Races::acquire(int thread, Arrivals& from, unsigned number) {
  const Arrivals::Round& round = from.of(number);
  if (round.number == number) join(clocks_[index(thread)], round.clock);
}

bool Races::within(int thread, const char* does, unsigned address, int bytes) {
  if (address <= bytes_ && static_cast<unsigned>(bytes) <= bytes_ - address) return true;
  report("thread " + std::to_string(thread) + " " + does + " byte " + std::to_string(address) +
         " of shared memory, of which there are " + std::to_string(bytes_) + " bytes");
  return false;
}

bool Races::read(int thread, unsigned address, int bytes) {
  if (!within(thread, "reads", address, bytes)) return false;
  const Access now = access(thread);
  for (unsigned at = address / 4; 4 * at < address + static_cast<unsigned>(bytes); ++at) {
    Word& word = words_[at];
    if (!before(word.write, thread)) report(thread, "reads", 4 * at, word.write, "wrote");
    bool replaced = false;
    for (Access& earlier : word.reads) {
      if (earlier.thread != thread) continue;
      earlier = now;
      replaced = true;
    }
    if (!replaced) word.reads.push_back(now);
  }
  return true;
}

bool Races::write(int thread, unsigned address, int bytes) {
  if (!within(thread, "writes", address, bytes)) return false;
  const Access now = access(thread);
  for (unsigned at = address / 4; 4 * at < address + static_cast<unsigned>(bytes); ++at) {
    Word& word = words_[at];
    if (!before(word.write, thread)) report(thread, "writes", 4 * at, word.write, "wrote");
    for (const Access& earlier : word.reads) {
      if (!before(earlier, thread)) report(thread, "writes", 4 * at, earlier, "read");
    }
    word.reads.clear();
    word.write = now;
  }
  return true;
}

Races::Access Races::access(int thread) const {
  return {thread, clocks_[index(thread)][index(thread)]};
}

bool Races::before(const Access& earlier, int thread) const {
  return earlier.thread == thread || clocks_[index(thread)][index(earlier.thread)] >= earlier.time;
}

void Races::report(int thread, const char* does, unsigned address, const Access& other,
                   const char* did) {
  report("thread " + std::to_string(thread) + " " + does + " byte " + std::to_string(address) +
         " of shared memory, which thread " + std::to_string(other.thread) + " " + did +
         ", with no barrier between them");
}

}  // namespace host
}  // namespace popsnn
