// An Engine's profile as a dictionary.
#pragma once
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <poplar/Engine.hpp>
#include <poplar/emulator/Profile.hpp>

inline pybind11::dict cycles_dict(const poplar::emulator::CyclesByKind& c) {
  pybind11::dict out;
  out["total"] = c.total();
  out["compute"] = c.compute;
  out["compute_busy"] = c.computeBusy;
  out["exchange"] = c.exchange;
  out["global_exchange"] = c.globalExchange;
  out["host_exchange"] = c.hostExchange;
  out["sync"] = c.sync;
  out["wait"] = c.wait;
  return out;
}

inline pybind11::dict profile_dict(const poplar::Engine& engine) {
  namespace py = pybind11;
  const poplar::emulator::Profile p = poplar::emulator::getProfile(engine);
  py::list steps;
  for (const poplar::emulator::StepProfile& s : p.steps) {
    py::dict step;
    step["kind"] = s.kind;
    step["name"] = s.name;
    step["runs"] = s.runs;
    step["cycles"] = cycles_dict(s.cycles);
    step["exchange_bytes"] = s.exchangeBytes;
    step["flops"] = s.flops;
    step["compute_by_tile"] = s.computeByTile;
    steps.append(step);
  }
  py::dict out;
  out["modelled"] = true;
  out["vertices"] = p.numVertices;
  out["edges"] = p.numEdges;
  out["variables"] = p.numVariables;
  out["compute_sets"] = p.numComputeSets;
  out["vertices_without_estimate"] = p.verticesWithoutEstimate;
  out["vertices_per_tile"] = py::cast(p.verticesPerTile);
  out["empty_fields"] = py::cast(p.emptyFields);
  out["bytes_per_tile"] = py::cast(p.bytesPerTile);
  out["always_live_bytes_per_tile"] = py::cast(p.alwaysLiveBytesPerTile);
  out["not_always_live_bytes_per_tile"] = py::cast(p.notAlwaysLiveBytesPerTile);
  out["steps"] = steps;
  out["cycles"] = cycles_dict(p.cycles);
  return out;
}
