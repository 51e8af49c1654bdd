// Python's records (python/popsnn/_internal/spec.py) to structs that list their fields with
// `each_field`.
#ifndef popsnn_python_records_hpp
#define popsnn_python_records_hpp

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <type_traits>
#include <vector>

#include "popsnn/network.hpp"

template <class Record>
Record read_record(const char* name, const pybind11::handle& source);

// Reads one field; `name` is for the error's sentence.
template <class Field>
void read_field(const std::string& name, const pybind11::handle& source, Field& field) {
  if constexpr (std::is_enum_v<Field>) {
    std::string value;
    read_field(name, source, value);
    field = popsnn::named<Field>(
        name, value, [](const std::string& sentence) { throw pybind11::value_error(sentence); });
  } else {
    try {
      field = source.cast<Field>();
    } catch (const pybind11::cast_error&) {
      const char* kind = std::is_arithmetic_v<Field>                 ? "a number of its range"
                         : std::is_same_v<Field, std::vector<float>> ? "numbers"
                                                                     : "a string";
      throw pybind11::type_error(name + ": expected " + kind + ", got " +
                                 std::string(pybind11::str(pybind11::repr(source))));
    }
  }
}

inline void read_field(const std::string&, const pybind11::handle& source,
                       std::vector<popsnn::LayerSpec>& layers) {
  for (const pybind11::handle& layer : source)
    layers.push_back(read_record<popsnn::LayerSpec>("LayerSpec", layer));
}

// None: the LIF of the project's codelets, which alone has assembly for pairs of neurons.
inline void read_field(const std::string&, const pybind11::handle& source,
                       popsnn::NeuronModel& model) {
  if (source.is_none()) return;
  model = read_record<popsnn::NeuronModel>("ModelSpec", source);
  model.numbers.step_pair = model.numbers.grad_pair = 0;
  model.numbers.step_pair_zero = model.numbers.grad_pair_zero = 0;
}

// `name` is that of Python's class.
template <class Record>
Record read_record(const char* name, const pybind11::handle& source) {
  Record record;
  Record::each_field(record, [&](const char* field, auto& value) {
    read_field(std::string(name) + ": " + field, source.attr(field), value);
  });
  return record;
}

#endif  // popsnn_python_records_hpp
