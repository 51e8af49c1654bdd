// Instrumentation of programs for the SDK's System Analyser, which is closed as its files are: what
// is traced here is not recorded, as where the SDK's option "enable" of PVTI_OPTIONS is not set.
#ifndef pvti_pvti_hpp
#define pvti_pvti_hpp

#include <cstddef>
#include <string>
#include <vector>

namespace pvti {

/// A name under which events are shown.
class TraceChannel {
 public:
  TraceChannel(const char* name) : name_(name) {}
  TraceChannel(const std::string& name) : name_(name) {}
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// What an event is shown with: JSON.
class Metadata {
 public:
  explicit Metadata(const std::string& json) : json_(json) {}
  const std::string& json() const { return json_; }

 private:
  std::string json_;
};

inline Metadata createJsonMetadata(const std::string& json) { return Metadata(json); }

/// An event from the construction to the end of its scope.
class Tracepoint {
 public:
  Tracepoint(TraceChannel*, const char*) {}
  Tracepoint(TraceChannel*, const std::string&) {}
  Tracepoint(TraceChannel*, const char*, std::size_t, const Metadata* = nullptr) {}
  Tracepoint(TraceChannel*, const std::string&, const Metadata*) {}
  Tracepoint(const Tracepoint&) = delete;
  Tracepoint& operator=(const Tracepoint&) = delete;
  ~Tracepoint() {}

  static void begin(TraceChannel*, const std::string&, const Metadata* = nullptr) {}
  static void end(TraceChannel*, const std::string&, const Metadata* = nullptr) {}
  /// An event of no duration.
  static void event(TraceChannel*, const std::string&, const Metadata* = nullptr) {}
};

/// A line of a Graph: values over time.
class GraphSeries {
 public:
  explicit GraphSeries(const std::string& name) : name_(name) {}
  const std::string& name() const { return name_; }
  void add(double) {}

 private:
  std::string name_;
};

/// Lines that are shown together, in a unit.
class Graph {
 public:
  Graph(const std::string& name, const std::string& units = "") : name_(name), units_(units) {}
  const std::string& name() const { return name_; }
  const std::string& units() const { return units_; }
  GraphSeries addSeries(const std::string& name) { return GraphSeries(name); }

 private:
  std::string name_, units_;
};

/// Histograms over time, in bins between the edges.
template <class T>
class Heatmap {
 public:
  Heatmap(const std::string& name, const std::vector<T>& edges, const std::string& units = "")
      : name_(name), units_(units), edges_(edges) {}
  void add(const std::vector<T>&) {}

 private:
  std::string name_, units_;
  std::vector<T> edges_;
};
typedef Heatmap<double> HeatmapDouble;
typedef Heatmap<int> HeatmapInt;

}  // namespace pvti

#endif  // pvti_pvti_hpp
