// The host's streams of a network: the tensors that each program reads or writes.
#pragma once
#include <poplar/Program.hpp>

#include "program_table.hpp"
#include "tensors.hpp"

namespace popsnn {

// Transfers to the host in the middle of a program.
struct StreamPrograms {
  poplar::program::Sequence interval_end;  // forward, after every checkpoint interval but the last
  poplar::program::Sequence first_step_end;  // backward, after the gradients of the first time step
};

StreamPrograms add_streams(ProgramTable& table, const NetworkSpec& network, const Plan& plan,
                           const NetworkTensors& tensors);

}  // namespace popsnn
