#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <poplar/Program.hpp>

namespace py = pybind11;

void register_programs(py::module_& m) {
  using namespace poplar;
  using namespace poplar::program;
  py::enum_<SyncType>(m, "SyncType")
      .value("INTERNAL", SyncType::INTERNAL)
      .value("EXTERNAL", SyncType::EXTERNAL)
      .value("GLOBAL", SyncType::GLOBAL);
  py::class_<Program>(m, "Program", "A control program.")
      .def(py::init<>())
      .def_property_readonly("is_empty", &Program::isEmpty);
  py::class_<Sequence, Program>(m, "Sequence")
      .def(py::init([](const std::vector<Program>& programs) {
             Sequence out;
             for (const Program& p : programs) out.add(p);
             return out;
           }),
           py::arg("programs") = std::vector<Program>())
      .def("add", &Sequence::add);
  py::class_<Execute, Program>(m, "Execute").def(py::init([](ComputeSet cs) {
    return Execute(cs);
  }));
  py::class_<Copy, Program>(m, "Copy")
      .def(py::init([](const Tensor& a, const Tensor& b) { return Copy(a, b); }))
      .def(py::init([](const DataStream& s, const Tensor& t) { return Copy(s, t); }))
      .def(py::init([](const Tensor& t, const DataStream& s) { return Copy(t, s); }));
  py::class_<Repeat, Program>(m, "Repeat").def(py::init([](unsigned n, const Program& p) {
    return Repeat(n, p);
  }));
  py::class_<RepeatWhileTrue, Program>(m, "RepeatWhileTrue")
      .def(py::init([](const Program& c, const Tensor& t, const Program& body) {
        return RepeatWhileTrue(c, t, body);
      }));
  py::class_<RepeatWhileFalse, Program>(m, "RepeatWhileFalse")
      .def(py::init([](const Program& c, const Tensor& t, const Program& body) {
        return RepeatWhileFalse(c, t, body);
      }));
  py::class_<If, Program>(m, "If").def(
      py::init([](const Tensor& t, const Program& a, const Program& b) { return If(t, a, b); }));
  py::class_<Switch, Program>(m, "Switch")
      .def(py::init([](const Tensor& t, const Switch::Cases& cases, const Program& other) {
             return Switch(t, cases, other);
           }),
           py::arg("control"), py::arg("cases"), py::arg("default") = Program())
      .def("add", &Switch::add);
  py::class_<Call, Program>(m, "Call").def(py::init([](Function f) { return Call(f); }));
  py::class_<PrintTensor, Program>(m, "PrintTensor")
      .def(
          py::init([](const std::string& title, const Tensor& t) { return PrintTensor(title, t); }))
      .def(py::init([](const Tensor& t) { return PrintTensor(t); }));
  py::class_<WriteUndef, Program>(m, "WriteUndef").def(py::init([](const Tensor& t) {
    return WriteUndef(t);
  }));
  py::class_<Sync, Program>(m, "Sync").def(py::init([](SyncType type) { return Sync(type); }));
  py::class_<Abort, Program>(m, "Abort")
      .def(py::init([](const std::string& message) { return Abort(message); }),
           py::arg("message") = "");
  py::class_<AbortOnCondition, Program>(m, "AbortOnCondition")
      .def(py::init([](const Tensor& t, const std::string& message) {
             return AbortOnCondition(t, message);
           }),
           py::arg("predicate"), py::arg("message") = "");
  py::class_<ErrorProgram, Program>(m, "ErrorProgram")
      .def(py::init(
          [](const std::string& message, const Tensor& t) { return ErrorProgram(message, t); }));
}
