// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011), and which
// distribution of a Random vertex. Included by codelets and by the library.
#pragma once

namespace poprand {

enum class Distribution : unsigned { UNIFORM, LOG_UNIFORM, BERNOULLI, NORMAL, TRUNCATED_NORMAL };

// Words of the generator's state: its key, the modifier and how often it was used.
enum StateWord : unsigned { kKey0, kKey1, kModifier, kUses, kStateWords };

struct Block {
  unsigned words[4];
};

inline Block philox(Block counter, unsigned key0, unsigned key1) {
  for (unsigned round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * counter.words[0];
    const unsigned long long b = 0xCD9E8D57ull * counter.words[2];
    counter = {{static_cast<unsigned>(b >> 32) ^ counter.words[1] ^ key0, static_cast<unsigned>(b),
                static_cast<unsigned>(a >> 32) ^ counter.words[3] ^ key1,
                static_cast<unsigned>(a)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

}  // namespace poprand
