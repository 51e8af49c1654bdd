// Common vertices of forward and backward: counters of time steps and fetches from history.
#pragma once
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

#include "tensors.hpp"

namespace popsnn {

// In `compute_set`: counter += by.
void add_count(poplar::Graph& graph, poplar::ComputeSet compute_set, const poplar::Tensor& counter,
               int by);

// A program: counter = value.
poplar::program::Copy set_counter(poplar::Graph& graph, const poplar::Tensor& counter, int value);

// In `compute_set`: current = the history's row of time step list_step + offset, zero outside.
void add_fetch(poplar::Graph& graph, poplar::ComputeSet compute_set, const ListPlan& where,
               const poplar::Tensor& history,    // [batch, 1 + steps, row]
               const poplar::Tensor& list_step,  // {}
               const poplar::Tensor& current,    // [batch, row]
               int offset);

// Both current rows of lists.
void add_fetch_lists(poplar::Graph& graph, poplar::ComputeSet compute_set, const ListPlan& where,
                     const SpikeHistory& lists, const poplar::Tensor& list_step, int offset);

}  // namespace popsnn
