// Memory that a plan needs on its tiles.
#pragma once
#include <vector>

#include <poplar/Target.hpp>

#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

// Bytes of a layer on a tile with `neurons` of it. Only those members of `plan` are read that are
// the same for all replicas.
std::size_t layer_bytes(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                        std::size_t l, std::size_t neurons);

// Those of `layer_bytes` that are live only while the layer's stage steps, and whose memory other
// stages reuse: received lists, sent partial sums of their gradients, patterns and sums over them.
std::size_t passing_bytes(const NetworkSpec& network, const Plan& plan, const ReplicaPlan& replica,
                          std::size_t l, std::size_t neurons);

// Those of `layer_bytes` that must be interleaved memory, for loads of 128 bits and for loads and
// stores in one bundle: the weights and their gradients, and delayed currents of `batch` samples.
std::size_t interleaved_bytes(const NetworkSpec& network, std::size_t l, std::size_t neurons,
                              std::size_t batch);

// Bytes that each tile of the device needs in addition to stacks and code: variables, vertices and
// exchange buffers, rounded up, and at least so many that its interleaved memory is large enough.
std::vector<std::size_t> bytes_per_tile(const NetworkSpec& network, const Plan& plan,
                                        const poplar::Target& target);

bool fits(const NetworkSpec& network, const Plan& plan, const poplar::Target& target);

// Throws std::runtime_error where a tile is too full, saying by how much.
void check_memory(const NetworkSpec& network, const Plan& plan, const poplar::Target& target);

}  // namespace popsnn
