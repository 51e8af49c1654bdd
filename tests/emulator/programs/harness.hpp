// What the test programs of the libraries share: a case is a small graph; what went in and what
// came out is printed as lines of JSON, which the tests compare with NumPy.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/emulator/Profile.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;

#define CHECK(condition)                                           \
  do {                                                             \
    if (!(condition)) {                                            \
      std::cerr << "line " << __LINE__ << ": " #condition << "\n"; \
      std::exit(1);                                                \
    }                                                              \
  } while (false)

inline Device modelDevice(unsigned tiles) {
  IPUModel model;
  model.tilesPerIPU = tiles;
  return model.createDevice();
}

class Case {
 public:
  explicit Case(std::string name, unsigned tiles = 8)
      : device(modelDevice(tiles)), graph(device), name_(std::move(name)) {}

  // A variable over all tiles that holds `values`, repeated to its size.
  Tensor input(const std::string& name, Type type, const std::vector<std::size_t>& shape,
               const std::vector<double>& values) {
    const Tensor t = graph.addVariable(type, shape, name);
    poputil::mapTensorLinearly(graph, t, 1, 1);
    fill(t, values);
    show(name, t);
    return t;
  }

  void fill(const Tensor& t, const std::vector<double>& values) {
    std::vector<double> all(t.numElements());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = values[i % values.size()];
    if (!all.empty()) graph.setInitialValue(t, all);
  }

  // Prints `t` as it is before the program.
  void show(const std::string& name, const Tensor& t) { before_.push_back({name, t}); }
  // Prints `t` as it is after the program.
  void output(const std::string& name, const Tensor& t) { after_.push_back({name, t}); }

  void run() {
    for (std::size_t i = 0; i < before_.size(); ++i) host("b" + std::to_string(i), before_[i].t);
    for (std::size_t i = 0; i < after_.size(); ++i) host("a" + std::to_string(i), after_[i].t);
    Engine engine(graph, prog);
    engine.load(device);
    for (std::size_t i = 0; i < before_.size(); ++i) {
      print(engine, "b" + std::to_string(i), before_[i]);
    }
    engine.run();
    emulator::getProfile(engine);  // throws where a library's vertex has no estimate
    for (std::size_t i = 0; i < after_.size(); ++i) {
      print(engine, "a" + std::to_string(i), after_[i]);
    }
  }

  Device device;
  Graph graph;
  Sequence prog;

 private:
  struct Named {
    std::string name;
    Tensor t;
  };

  void host(const std::string& handle, const Tensor& t) {
    if (t.numElements() != 0) graph.createHostRead(handle, t);
  }

  template <class T>
  void values(Engine& engine, const std::string& handle, std::size_t n) {
    std::unique_ptr<T[]> data(new T[n]);
    if (n != 0) engine.readTensor(handle, data.get(), data.get() + n);
    for (std::size_t i = 0; i < n; ++i) {
      std::cout << (i == 0 ? "" : ",");
      const double x = static_cast<double>(data[i]);
      if (x != x) {
        std::cout << "NaN";
      } else if (x - x != 0) {
        std::cout << (x < 0 ? "-Infinity" : "Infinity");
      } else {
        char text[32];
        std::snprintf(text, sizeof text, "%.17g", x);
        std::cout << text;
      }
    }
  }

  void print(Engine& engine, const std::string& handle, const Named& n) {
    const Type type = n.t.elementType();
    std::cout << "{\"case\":\"" << name_ << "\",\"name\":\"" << n.name << "\",\"type\":\""
              << type.toString() << "\",\"shape\":[";
    for (unsigned i = 0; i < n.t.rank(); ++i) std::cout << (i == 0 ? "" : ",") << n.t.dim(i);
    std::cout << "],\"values\":[";
    const std::size_t size = n.t.numElements();
    if (type == FLOAT) values<float>(engine, handle, size);
    if (type == HALF) values<poplar::IeeeHalf>(engine, handle, size);
    if (type == INT) values<int>(engine, handle, size);
    if (type == UNSIGNED_INT) values<unsigned>(engine, handle, size);
    if (type == SHORT) values<short>(engine, handle, size);
    if (type == UNSIGNED_SHORT) values<unsigned short>(engine, handle, size);
    if (type == UNSIGNED_CHAR) values<unsigned char>(engine, handle, size);
    if (type == SIGNED_CHAR) values<signed char>(engine, handle, size);
    if (type == BOOL) values<bool>(engine, handle, size);
    if (type == LONGLONG) values<long long>(engine, handle, size);
    if (type == UNSIGNED_LONGLONG) values<unsigned long long>(engine, handle, size);
    std::cout << "]}\n";
  }

  std::string name_;
  std::vector<Named> before_, after_;
};

// Prints the message of the poplibs_error that `fn` must throw.
template <class Fn>
void expectError(const std::string& name, const Fn& fn) {
  try {
    fn();
    std::cout << "{\"error\":\"" << name << "\",\"text\":null}\n";
  } catch (const poputil::poplibs_error& e) {
    std::cout << "{\"error\":\"" << name << "\",\"text\":\"" << e.what() << "\"}\n";
  }
}

// Prints the message of the error of Poplar that `fn` must throw.
template <class Fn>
void expectPoplarError(const std::string& name, const Fn& fn) {
  try {
    fn();
    std::cout << "{\"error\":\"" << name << "\",\"text\":null}\n";
  } catch (const poplar_error& e) {
    std::cout << "{\"error\":\"" << name << "\",\"text\":\"" << e.type << ": " << e.what()
              << "\"}\n";
  }
}

// Numbers of a repeatable sequence, uniform in [low, high); whole ones where `whole`.
inline std::vector<double> numbers(std::size_t n, double low, double high, bool whole = false,
                                   std::uint32_t seed = 1) {
  std::vector<double> out(n);
  std::uint32_t state = seed * 2654435761u + 12345u;
  for (double& x : out) {
    state = state * 1664525u + 1013904223u;
    x = low + (high - low) * (state >> 8) / 16777216.0;
    if (whole) x = static_cast<double>(static_cast<long long>(x < 0 ? x - 1 : x));
  }
  return out;
}
