// Events (t, b, n) to ascending lists, and lists to padded rows: what SpikeTensor.from_events and
// popsnn.data do with millions of events. python/popsnn/events.py is the reference, in torch.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace py = pybind11;

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kWorthAThread = 1 << 16;  // a thread starts in about 20 us
constexpr std::size_t kInsertionLength = 16;
constexpr std::int64_t kMaxLists = std::int64_t(1) << 40;  // bytes of them fit 64 bits

// NumPy copies what is not contiguous, or not where its type can be read.
template <typename T>
using In = py::array_t<T, py::array::c_style | py::array::forcecast |
                              py::detail::npy_api::NPY_ARRAY_ALIGNED_>;

// One column of E events, each `stride` bytes after the one before, at any address.
template <typename T>
struct Column {
  const char* data;
  std::ptrdiff_t stride;
  std::int64_t operator[](std::size_t i) const {
    T value;
    std::memcpy(&value, data + std::ptrdiff_t(i) * stride, sizeof value);
    return value;
  }
};

// Calls work(range, begin, end) for equal ranges of [0, n), each on a separate thread.
template <typename Work>
void in_ranges(std::size_t n, unsigned ranges, Work work) {
  std::vector<std::thread> threads;
  for (unsigned range = 1; range < ranges; ++range)
    threads.emplace_back(work, range, n * range / ranges, n * (range + 1) / ranges);
  work(0u, std::size_t(0), n / ranges);
  for (std::thread& thread : threads) thread.join();
}

unsigned ranges_for(std::size_t n, unsigned threads) {
  return unsigned(std::clamp<std::size_t>(n / kWorthAThread, 1, std::max(1u, threads)));
}

// Sorts lists of ids below `size`; one a thread, for its scratch.
class ListSorter {
 public:
  explicit ListSorter(std::size_t size) : words_((size + 63) / 64, 0) {}

  // Sorts ids [length] and returns how many differ: these come first.
  std::size_t sort(std::int32_t* ids, std::size_t length) {
    if (length <= kInsertionLength) {
      insertion_sort(ids, length);
    } else if (std::adjacent_find(ids, ids + length, std::greater_equal<>()) == ids + length) {
      return length;
    } else if (words_.size() <= 16 * length) {  // a word is passed in a fraction of a comparison
      return through_bits(ids, length);
    } else {
      std::sort(ids, ids + length);
    }
    return std::size_t(std::unique(ids, ids + length) - ids);
  }

 private:
  static void insertion_sort(std::int32_t* ids, std::size_t length) {
    for (std::size_t i = 1; i < length; ++i) {
      const std::int32_t id = ids[i];
      std::size_t at = i;
      for (; at > 0 && ids[at - 1] > id; --at) ids[at] = ids[at - 1];
      ids[at] = id;
    }
  }

  std::size_t through_bits(std::int32_t* ids, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i)
      words_[std::size_t(ids[i]) / 64] |= std::uint64_t(1) << (ids[i] % 64);
    std::int32_t* out = ids;
    for (std::size_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1)
        *out++ = std::int32_t(word * 64) + __builtin_ctzll(bits);
      words_[word] = 0;
    }
    return std::size_t(out - ids);
  }

  std::vector<std::uint64_t> words_;  // [ceil(size / 64)], all zero between calls
};

struct Shape {
  std::int64_t outer, inner, size;
};

[[noreturn]] void throw_out_of_range(const std::int64_t (&event)[3], const Shape& shape) {
  const std::int64_t bounds[] = {shape.outer, shape.inner, shape.size};
  int axis = 0;
  while (event[axis] >= 0 && event[axis] < bounds[axis]) ++axis;
  throw std::invalid_argument("events: expected " + std::string(1, "tbn"[axis]) + " in 0.." +
                              std::to_string(bounds[axis] - 1) + ", got " +
                              std::to_string(event[axis]));
}

// Writes the lists' lengths [R] and their ids, one list after the other, into `ids` [E]; returns
// how many ids there are.
template <typename T>
std::size_t sort_into_lists(Column<T> t, Column<T> b, Column<T> n, std::size_t events,
                            const Shape& shape, bool merge, unsigned threads, std::int32_t* lengths,
                            std::int32_t* ids) {
  const std::size_t lists = std::size_t(shape.outer * shape.inner);
  const unsigned ranges = ranges_for(events, threads);
  std::vector<std::vector<std::uint32_t>> cursor(ranges, std::vector<std::uint32_t>(lists, 0));
  std::vector<std::size_t> wrong(ranges, kNone);
  in_ranges(events, ranges, [&](unsigned range, std::size_t begin, std::size_t end) {
    std::uint32_t* count = cursor[range].data();
    for (std::size_t i = begin; i < end; ++i) {
      const std::int64_t outer = t[i], inner = b[i], id = n[i];
      // As unsigned numbers negative ones lie above every bound.
      if (std::uint64_t(outer) >= std::uint64_t(shape.outer) ||
          std::uint64_t(inner) >= std::uint64_t(shape.inner) ||
          std::uint64_t(id) >= std::uint64_t(shape.size)) {
        wrong[range] = i;
        return;
      }
      ++count[outer * shape.inner + inner];
    }
  });
  const std::size_t first_wrong = *std::min_element(wrong.begin(), wrong.end());
  if (first_wrong != kNone)
    throw_out_of_range({t[first_wrong], b[first_wrong], n[first_wrong]}, shape);

  std::vector<std::uint32_t> first(lists + 1);
  std::uint32_t total = 0;
  for (std::size_t list = 0; list < lists; ++list) {
    first[list] = total;
    for (std::vector<std::uint32_t>& of_range : cursor) {
      const std::uint32_t count = of_range[list];
      of_range[list] = total;
      total += count;
    }
  }
  first[lists] = total;
  in_ranges(events, ranges, [&](unsigned range, std::size_t begin, std::size_t end) {
    std::uint32_t* at = cursor[range].data();
    for (std::size_t i = begin; i < end; ++i)
      ids[at[t[i] * shape.inner + b[i]]++] = std::int32_t(n[i]);
  });

  std::vector<std::size_t> repeating(ranges, kNone);
  in_ranges(lists, ranges, [&](unsigned range, std::size_t begin, std::size_t end) {
    ListSorter sorter{std::size_t(shape.size)};
    for (std::size_t list = begin; list < end; ++list) {
      const std::size_t length = first[list + 1] - first[list];
      const std::size_t kept = sorter.sort(ids + first[list], length);
      lengths[list] = std::int32_t(kept);
      if (kept != length && repeating[range] == kNone) repeating[range] = list;
    }
  });
  const std::size_t first_repeating = *std::min_element(repeating.begin(), repeating.end());
  if (first_repeating == kNone) return events;
  if (!merge) {
    std::vector<bool> seen(std::size_t(shape.size), false);
    const std::int64_t outer = std::int64_t(first_repeating) / shape.inner;
    const std::int64_t inner = std::int64_t(first_repeating) % shape.inner;
    std::int64_t twice = shape.size;  // the smallest id that comes again
    for (std::size_t i = 0; i < events; ++i) {
      if (t[i] != outer || b[i] != inner) continue;
      if (seen[std::size_t(n[i])]) twice = std::min<std::int64_t>(twice, n[i]);
      seen[std::size_t(n[i])] = true;
    }
    throw std::invalid_argument("events: expected each (t, b, n) once, got (" +
                                std::to_string(outer) + ", " + std::to_string(inner) + ", " +
                                std::to_string(twice) + ") twice");
  }
  std::int32_t* out = ids + first[first_repeating];
  for (std::size_t list = first_repeating; list < lists; ++list)
    out = std::copy_n(ids + first[list], lengths[list], out);
  return std::size_t(out - ids);
}

template <typename T>
Column<T> column(const py::array& array) {
  return {static_cast<const char*>(array.data()), array.strides(0)};
}

py::tuple sort_events(const py::array& t, const py::array& b, const py::array& n,
                      std::int64_t outer, std::int64_t inner, std::int64_t size, bool merge,
                      unsigned threads) {
  const std::size_t events = std::size_t(t.shape(0));
  if (events > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("events: expected at most 4294967295, got " +
                                std::to_string(events));
  const Shape shape{outer, inner, size};
  std::int64_t lists = 0;
  if (outer < 0 || inner < 0 || __builtin_mul_overflow(outer, inner, &lists) || lists > kMaxLists)
    throw std::invalid_argument("shape: expected below 2^40 lists of events, got " +
                                std::to_string(outer) + " times " + std::to_string(inner));
  if (size > std::numeric_limits<std::int32_t>::max())
    throw std::invalid_argument("shape: expected below 2^31 neurons, got " + std::to_string(size));
  py::array_t<std::int32_t> lengths{py::ssize_t(lists)};
  py::array_t<std::int32_t> ids{py::ssize_t(events)};
  const auto sort_columns = [&](auto type) {
    using T = decltype(type);
    const Column<T> columns[] = {column<T>(t), column<T>(b), column<T>(n)};
    std::int32_t *lengths_out = lengths.mutable_data(), *ids_out = ids.mutable_data();
    py::gil_scoped_release release;
    return sort_into_lists(columns[0], columns[1], columns[2], events, shape, merge, threads,
                           lengths_out, ids_out);
  };
  const std::size_t total =
      t.itemsize() == 8 ? sort_columns(std::int64_t()) : sort_columns(std::int32_t());
  if (total == events) return py::make_tuple(lengths, ids);
  return py::make_tuple(lengths, ids[py::slice(0, py::ssize_t(total), 1)]);
}

// Writes a list into a row of `capacity`: all of it, or the ids that are first in cyclic order from
// `begin`; ascending in both cases. Returns how many were written.
template <typename Id>
std::size_t write_row(const Id* ids, std::size_t length, std::size_t capacity, std::int64_t begin,
                      std::int32_t* row) {  // row: [capacity]
  std::int32_t* out = row;
  if (length <= capacity) {
    out = std::copy_n(ids, length, out);
  } else {
    const std::size_t from = std::size_t(std::lower_bound(ids, ids + length, begin) - ids);
    const std::size_t wrapped = from + capacity > length ? from + capacity - length : 0;
    out = std::copy_n(ids, wrapped, out);
    out = std::copy_n(ids + from, capacity - wrapped, out);
  }
  std::fill(out, row + capacity, 0);
  return std::size_t(out - row);
}

// ids [E]; first, counts, begins [R]; out: rows [R, capacity], kept [R].
template <typename Id>
py::tuple pad_lists(const In<Id>& ids, const In<std::int64_t>& first,
                    const In<std::int32_t>& counts, const In<std::int64_t>& begins,
                    std::size_t capacity, unsigned threads) {
  const std::size_t lists = std::size_t(counts.shape(0));
  py::array_t<std::int32_t> rows({lists, capacity});
  py::array_t<std::int32_t> kept{py::ssize_t(lists)};
  const Id* in = ids.data();
  const std::int64_t* first_of = first.data();
  const std::int32_t* count_of = counts.data();
  const std::int64_t* begin_of = begins.data();
  std::int32_t *out = rows.mutable_data(), *kept_of = kept.mutable_data();
  {
    py::gil_scoped_release release;
    const unsigned ranges = ranges_for(lists * capacity, threads);
    in_ranges(lists, ranges, [&](unsigned, std::size_t begin, std::size_t end) {
      for (std::size_t list = begin; list < end; ++list)
        kept_of[list] = std::int32_t(write_row(in + first_of[list], std::size_t(count_of[list]),
                                               capacity, begin_of[list], out + list * capacity));
    });
  }
  return py::make_tuple(rows, kept);
}

}  // namespace

void register_event_lists(py::module_& module) {
  using namespace pybind11::literals;
  module.def("sort_events", &sort_events, "t"_a, "b"_a, "n"_a, "steps"_a, "batch"_a, "size"_a,
             "merge"_a, "threads"_a,
             "Sort events, three int32 or int64 columns [E], into lists t * batch + b; return the "
             "lists' lengths [R] and their ascending ids, one list after the other.");
  constexpr const char* pad =
      "Write lists of ids [E], which begin at first [R] and have counts [R] entries, as rows "
      "[R, capacity]; return them and how many each kept.";
  module.def("pad_lists", &pad_lists<std::int32_t>, "ids"_a.noconvert(), "first"_a, "counts"_a,
             "begins"_a, "capacity"_a, "threads"_a, pad);
  module.def("pad_lists", &pad_lists<std::uint16_t>, "ids"_a.noconvert(), "first"_a, "counts"_a,
             "begins"_a, "capacity"_a, "threads"_a, pad);
}
