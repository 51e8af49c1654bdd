// Ctrl-C while an Engine runs.
#pragma once
#include <pybind11/pybind11.h>

#include <poplar/emulator/Interrupt.hpp>

// Has runs look for signals, which Python's own handlers only note, and raise what those handlers
// raise: KeyboardInterrupt. Handlers run on Python's main thread alone.
inline void watch_signals() {
  namespace py = pybind11;
  static const auto main_thread =
      py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
  poplar::emulator::setInterruptCheck([] {
    if (PyThread_get_thread_ident() != main_thread || !Py_IsInitialized()) return;
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  });
}
