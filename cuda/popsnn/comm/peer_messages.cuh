// Messages from one GPU to another through memory that both map: no host, no library, and as many
// multiprocessors as a message has blocks.
//
// Each block of a message has a separate ring in the receiver's memory and separate counts, so no
// block waits for another. The counts are in memory: a kernel that a graph replays continues with
// the counts of the replay before.
#pragma once

#include <popsnn/device/block.cuh>

namespace popsnn {

constexpr int kPeerThreads = 256;
constexpr int kPeerBlocks = 16;      // of every message
constexpr int kPeerSlots = 8;        // messages in flight before the sender waits
constexpr int kPeerShard = 1 << 16;  // bytes of a block's part of a message, at most
constexpr int kPeerRanks = 32;       // that announce to each other: a thread each

struct PeerMessageArguments {
  void* message;         // [bytes], starts at 16 bytes
  unsigned char* rings;  // [kPeerBlocks, kPeerSlots, kPeerShard], in the receiver's memory
  unsigned* come;        // [kPeerBlocks] messages that are in the rings or were: the receiver's
  unsigned* taken;       // [kPeerBlocks] messages that were taken out: in the sender's memory
  unsigned* number;      // [kPeerBlocks] messages of this end
  long long bytes;       // a multiple of 4, at most kPeerBlocks * kPeerShard
  long long timeout;     // nanoseconds that a wait may last
};

struct alignas(16) PeerVector {
  unsigned word[4];
};

// Sends the message, or fills it with the next message that has arrived.
template <bool kSend>
POPSNN_DEVICE void peer_message(const PeerMessageArguments& a) {
  const auto block = static_cast<int>(block_index());
  const unsigned number = a.number[block];
  if (thread_index() == 0) {
    if constexpr (kSend) {
      wait_for_count(a.taken + block, number + 1 - kPeerSlots, a.timeout);
    } else {
      wait_for_count(a.come + block, number + 1, a.timeout);
    }
  }
  sync_block();

  const long long words = a.bytes / 4;
  const long long block_words = (words + 4 * kPeerBlocks - 1) / (4 * kPeerBlocks) * 4;
  const long long first = block * block_words;
  const long long left = words - first;
  const int count = static_cast<int>(left < 0 ? 0 : left < block_words ? left : block_words);
  const long long slot = static_cast<long long>(block) * kPeerSlots + number % kPeerSlots;
  auto* const here = static_cast<unsigned*>(a.message) + first;
  auto* const there = reinterpret_cast<unsigned*>(a.rings + slot * kPeerShard);
  unsigned* const to = kSend ? there : here;
  const unsigned* const from = kSend ? here : there;
  const int vectors = count / 4;
  for (int i = thread_index(); i < vectors; i += kPeerThreads) {
    reinterpret_cast<PeerVector*>(to)[i] = reinterpret_cast<const PeerVector*>(from)[i];
  }
  const int rest = 4 * vectors + thread_index();
  if (rest < count) to[rest] = from[rest];

  sync_block();
  if (thread_index() == 0) {
    a.number[block] = number + 1;
    set_count((kSend ? a.come : a.taken) + block, number + 1);
  }
}

// Counts of announcements, which the GPUs write to each other's memory.
struct PeerCountsArguments {
  unsigned* to[kPeerRanks];  // [1] each: this rank's, in the memory of every rank
  const unsigned* from;      // [ranks] in this rank's memory: those of every rank
  unsigned* number;          // [1] how often this rank has announced
  long long timeout;         // nanoseconds that a wait may last
  int ranks;
};

// Announces to all ranks that the earlier writes of this rank's stream, to any memory, are
// complete.
POPSNN_DEVICE void peer_announce(const PeerCountsArguments& a) {
  const unsigned number = *a.number + 1;
  sync_block();
  if (thread_index() == 0) *a.number = number;
  if (thread_index() < a.ranks) set_count(a.to[thread_index()], number);
}

// Waits until all ranks have announced as often as this rank has.
POPSNN_DEVICE void peer_await(const PeerCountsArguments& a) {
  if (thread_index() < a.ranks) {
    wait_for_count(a.from + thread_index(), *a.number, a.timeout);
  }
}

}  // namespace popsnn
