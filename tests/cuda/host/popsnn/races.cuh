// Finds accesses of a block's shared memory that are beyond it, and those that no barrier orders,
// by vector clocks: what one thread wrote and another then reads or writes, or read and another
// then writes, must have gone through barriers at which the one arrived and for which the other
// waited.
//
// Of vector clocks see Mattern (1989), of this use of them Flanagan and Freund, FastTrack (2009).
#pragma once

#include <string>
#include <vector>

namespace popsnn {
namespace host {

using Clock = std::vector<unsigned>;  // of each thread

// What arrived at a barrier in two of its rounds: one is waited for while the next one arrives.
struct Arrivals {
  struct Round {
    unsigned number = 0;
    Clock clock;
  };
  Round rounds[2];

  Round& of(unsigned round) { return rounds[round % 2]; }
};

class Races {
 public:
  void begin(int threads, int bytes);

  // What the thread has done goes with the barrier's round, what it does from now on does not.
  void release(int thread, Arrivals& to, unsigned number);
  void acquire(int thread, Arrivals& from, unsigned number);

  // Returns whether there is memory.
  bool read(int thread, unsigned address, int bytes);
  bool write(int thread, unsigned address, int bytes);
  bool within(int thread, const char* does, unsigned address, int bytes);

  void report(const std::string& what) {
    if (first_.empty()) first_ = what;
  }

  // What was found first; empty where nothing was.
  const std::string& first() const { return first_; }

 private:
  struct Access {
    int thread;
    unsigned time;  // on the thread's own clock; 0 is before all
  };

  struct Word {
    Access write;
    std::vector<Access> reads;  // since then, the last one of each thread
  };

  Access access(int thread) const;
  bool before(const Access& one, int thread) const;
  void report(int thread, const char* does, unsigned address, const Access& other, const char* did);

  unsigned bytes_ = 0;
  std::vector<Clock> clocks_;
  std::vector<Word> words_;
  std::string first_;
};

}  // namespace host
}  // namespace popsnn
