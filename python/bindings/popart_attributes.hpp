// Attributes of operators, from Python's values.
#ifndef popsnn_python_popart_attributes_hpp
#define popsnn_python_popart_attributes_hpp

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <popart/attributes.hpp>
#include <popart/error.hpp>
#include <popart/vendored/any.hpp>
#include <string>
#include <vector>

template <class T>
popart::any to_list(const pybind11::sequence& values) {
  return popart::any(values.cast<std::vector<T>>());
}

// bool counts as int, as in Python.
inline popart::any to_attribute(const std::string& key, const pybind11::handle& value) {
  if (PyLong_Check(value.ptr())) return popart::any(value.cast<popart::Attributes::Int>());
  if (PyFloat_Check(value.ptr())) return popart::any(value.cast<popart::Attributes::Float>());
  if (PyUnicode_Check(value.ptr())) return popart::any(value.cast<popart::Attributes::String>());
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
    const pybind11::sequence values = pybind11::reinterpret_borrow<pybind11::sequence>(value);
    const auto all = [&](int (*check)(PyObject*)) {
      for (const pybind11::handle& v : values)
        if (!check(v.ptr())) return false;
      return true;
    };
    if (all([](PyObject* v) -> int { return PyLong_Check(v); }))
      return to_list<std::int64_t>(values);
    if (all([](PyObject* v) -> int { return PyFloat_Check(v); })) return to_list<float>(values);
    if (all([](PyObject* v) -> int { return PyUnicode_Check(v); }))
      return to_list<std::string>(values);
  }
  throw popart::error(
      "attribute '{}': expected a float, an int, a str or a list of one of them, got {}", key,
      std::string(pybind11::str(pybind11::repr(value))));
}

inline std::map<std::string, popart::any> to_attributes(const pybind11::dict& values) {
  std::map<std::string, popart::any> out;
  for (const auto& v : values) {
    const std::string key = v.first.cast<std::string>();
    out[key] = to_attribute(key, v.second);
  }
  return out;
}

#endif  // popsnn_python_popart_attributes_hpp
