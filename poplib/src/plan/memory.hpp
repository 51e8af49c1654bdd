// What a plan needs of its tiles' memory.
#pragma once
#include <vector>

#include <poplar/Target.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Bytes that a layer brings to a tile with `neurons` of it; of `plan` the numbers that are the same
// for all replicas count.
std::size_t layer_bytes(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                        std::size_t l, std::size_t neurons);

// Of these what is there only while the layer's stage steps, and shares its memory with that of
// other stages: lists as they arrive, shares of their gradients as they leave, patterns and sums
// over them.
std::size_t passing_bytes(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                          std::size_t l, std::size_t neurons);

// Of those of `layer_bytes` the weights and their gradients, which loads of 128 bits and stores
// beside loads need in interleaved memory.
std::size_t interleaved_bytes(const NetworkSpec& network, std::size_t l, std::size_t neurons);

// Bytes that each tile of the device has to have: variables, vertices and exchange buffers, rounded
// up, and as many as make its interleaved part large enough.
std::vector<std::size_t> bytes_per_tile(const NetworkSpec& network, const Plan& plan,
                                        const poplar::Target& target);

bool fits(const NetworkSpec& network, const Plan& plan, const poplar::Target& target);

// Throws std::runtime_error where a tile is too full, saying by how much.
void check_memory(const NetworkSpec& network, const Plan& plan, const poplar::Target& target);

}  // namespace popsnn
