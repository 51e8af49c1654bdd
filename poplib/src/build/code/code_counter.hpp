// The code of a plan by tile, which is counted before anything is built. Each file that adds
// vertices has a function here that says, by the plan alone, which tiles will have them.
#pragma once
#include <initializer_list>
#include <map>
#include <string>

#include "popsnn/code_memory.hpp"
#include "popsnn/network.hpp"
#include "popsnn/plan.hpp"

namespace popsnn {

class CodeCounter {
 public:
  CodeCounter(const NetworkSpec& network, const Plan& plan, std::size_t tiles);

  const NetworkSpec& network() const { return network_; }
  const Plan& plan() const { return plan_; }
  bool checkpoints() const { return plan_.checkpoints(network_.steps) > 0; }
  bool optimizes() const { return network_.optimizer != Optimizer::None; }
  bool spikes(std::size_t l) const { return network_.layers[l].kind == LayerKind::SparseLif; }
  bool saves(std::size_t l) const {
    return checkpoints() && (spikes(l) || network_.layers[l].has_ring()) && !plan_.streamed;
  }

  std::string by_id(const char* name) const {
    return std::string("popsnn::") + name + "<" + id_type_ + ">";
  }
  std::string by_id_and_weight(const char* name, const char* weight) const {
    return std::string("popsnn::") + name + "<" + id_type_ + "," + weight + ">";
  }
  std::string step_vertex(const LayerSpec& layer) const {
    return layer.model.step_vertex(layer.reads(), id_type_, layer.step_weight_type());
  }

  // Adds types to a tile that lacks them.
  void add(std::size_t tile, std::initializer_list<std::string> types);
  // To the tiles of a list's samples.
  void add(const ListPlan& list, std::initializer_list<std::string> types) {
    for (const SampleRange& range : list.ranges) add(range.tile, types);
  }
  void add_messages(std::size_t tile, std::size_t messages);

  std::size_t tiles() const { return code_.types.size(); }
  const TileCode& code() const { return code_; }

 private:
  std::size_t bytes_of(const std::string& type);

  const NetworkSpec& network_;
  const Plan& plan_;
  const std::string id_type_;
  std::map<std::string, std::size_t> bytes_;  // by type
  TileCode code_;
};

// Of a replica's layer `l`.
void count_forward_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l);
void count_backward_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l);
void count_update_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l);
void count_forward_list_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l);
void count_backward_list_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l);
// Of a source of layer `l` whose spikes arrive late.
void count_forward_arrival_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l,
                                std::size_t source);
void count_backward_arrival_code(CodeCounter& code, const ReplicaPlan& replica, std::size_t l,
                                 std::size_t source);
// Of a replica.
void count_input_code(CodeCounter& code, const ReplicaPlan& replica);
void count_reduction_code(CodeCounter& code, const ReplicaPlan& replica);
void count_step_code(CodeCounter& code, const ReplicaPlan& replica);
// Of all replicas.
void count_size_code(CodeCounter& code);

}  // namespace popsnn
