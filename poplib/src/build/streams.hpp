// The host's streams of a network: which of its tensors every program reads or writes.
#pragma once
#include <poplar/Program.hpp>

#include "program_table.hpp"
#include "tensors.hpp"

namespace popsnn {

// What goes to the host in the middle of a program.
struct StreamParts {
  poplar::program::Sequence segment_end;     // forward, after every segment of steps but the last
  poplar::program::Sequence first_step_end;  // backward, when the first step's gradients stand
};

StreamParts add_streams(ProgramTable& table, const NetworkSpec& network, const Plan& plan,
                        const NetworkTensors& tensors);

}  // namespace popsnn
