// Finds accesses of a block's shared memory that are beyond it, and those that no barrier orders,
// by vector clocks. Of two threads that access the same word, at least one of which writes it, the
// first must have arrived at a barrier after its access, and the second waited for it before its
// own.
//
// Of vector clocks see Mattern (1989), of this use of them Flanagan and Freund, FastTrack (2009).
#pragma once

#include <string>
#include <vector>

namespace popsnn {
namespace host {

using Clock = std::vector<unsigned>;  // of each thread

// The clocks of arrivals at a barrier in two of its rounds: a round is waited for while the next
// arrives.
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

  // Releases the thread's accesses so far with the barrier's round, and none of its later accesses.
  void release(int thread, Arrivals& to, unsigned number);
  void acquire(int thread, Arrivals& from, unsigned number);

  // Returns whether there is memory.
  bool read(int thread, unsigned address, int bytes);
  bool write(int thread, unsigned address, int bytes);
  bool within(int thread, const char* does, unsigned address, int bytes);

  void report(const std::string& what) {
    if (first_.empty()) first_ = what;
  }

  // The first race; empty where there is none.
  const std::string& first() const { return first_; }

 private:
  struct Access {
    int thread;
    unsigned time;  // on the thread's own clock; 0 is before all
  };

  struct Word {
    Access write;
    std::vector<Access> reads;  // since then, the last of each thread
  };

  Access access(int thread) const;
  bool before(const Access& earlier, int thread) const;
  void report(int thread, const char* does, unsigned address, const Access& other, const char* did);

  unsigned bytes_ = 0;
  std::vector<Clock> clocks_;
  std::vector<Word> words_;
  std::string first_;
};

}  // namespace host
}  // namespace popsnn
