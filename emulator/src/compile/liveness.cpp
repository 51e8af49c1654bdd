#include "compile/liveness.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "api/access.hpp"
#include "compile/step_access.hpp"

namespace poplar {
namespace emulator {

namespace {

// Disjoint intervals of elements.
class ElementSet {
 public:
  void add(size_t begin, size_t end) {
    auto next = intervals_.upper_bound(begin);
    if (next != intervals_.begin() && std::prev(next)->second >= begin) {
      --next;
      begin = next->first;
    }
    while (next != intervals_.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = intervals_.erase(next);
    }
    intervals_.emplace_hint(next, begin, end);
  }

  // Calls fn(begin, end) for the intervals of [begin, end) that the set lacks.
  template <class Fn>
  void forEachMissing(size_t begin, size_t end, Fn&& fn) const {
    auto interval = intervals_.upper_bound(begin);
    if (interval != intervals_.begin()) begin = std::max(begin, std::prev(interval)->second);
    for (; begin < end; ++interval) {
      const size_t stop = interval == intervals_.end() ? end : std::min(end, interval->first);
      if (begin < stop) fn(begin, stop);
      if (interval == intervals_.end()) return;
      begin = interval->second;
    }
  }

  ElementSet intersection(const ElementSet& other) const {
    ElementSet out;
    for (const auto& interval : intervals_) {
      size_t at = interval.first;
      other.forEachMissing(interval.first, interval.second, [&](size_t begin, size_t end) {
        if (at < begin) out.add(at, begin);
        at = end;
      });
      if (at < interval.second) out.add(at, interval.second);
    }
    return out;
  }

  const std::map<size_t, size_t>& intervals() const { return intervals_; }

 private:
  std::map<size_t, size_t> intervals_;  // begin: end
};

using Written = std::unordered_map<uint32_t, ElementSet>;

struct Span {
  size_t first, last;
};

// A program or a function.
struct Unit {
  std::unordered_map<uint32_t, Span> spans;        // of all that it touches, also through calls
  std::unordered_set<uint32_t> own;                // what it touches itself
  std::vector<Elements> exposed;                   // read before it wrote them
  std::vector<Elements> written;                   // on every path
  std::vector<std::pair<size_t, uint32_t>> calls;  // step, function
  std::vector<std::pair<uint32_t, size_t>> peak;   // tile, bytes of what is live in it alone
};

class Analysis {
 public:
  explicit Analysis(const GraphData& data) : data_(data) {
    out_.always_live.resize(data.variables.size());
  }

  Liveness run(ArrayRef<program::Program> programs) {
    for (const std::vector<HostHandle>* handles : {&data_.host_writes, &data_.host_reads}) {
      for (const HostHandle& h : *handles) {
        forEachRun(*h.view, [&](uint32_t var, size_t, size_t) { live(var); });
      }
    }
    std::vector<Unit> units;
    for (const program::Program& p : programs) units.push_back(walk(*Access::data(p)));
    for (const Unit& u : units) {
      for (const Elements& e : u.exposed) live(e.var);
    }
    findOwners(units);
    sweepAll(units);
    return std::move(out_);
  }

 private:
  static constexpr uint32_t kNobody = 0xFFFFFFFFu, kSeveral = 0xFFFFFFFEu, kProgram = 0xFFFFFFFDu;

  // A region with one entry: what it wrote on every path, and of a loop what it reads of what was
  // there when an iteration began.
  struct Scope {
    bool loop;
    Written written;
    std::unordered_set<uint32_t> carried;
  };

  void live(uint32_t var) { out_.always_live[var & ~kConstantBit] = true; }

  Unit walk(const ProgramData& p) {
    // A function is walked in the middle of its caller.
    Unit unit;
    std::vector<Scope> scopes(1);
    size_t step = 0;
    std::swap(unit, unit_);
    std::swap(scopes, scopes_);
    std::swap(step, step_);
    visit(p);
    for (const auto& w : scopes_[0].written) {
      for (const auto& interval : w.second.intervals()) {
        unit_.written.push_back({w.first, interval.first, interval.second});
      }
    }
    join(unit_.exposed);
    join(unit_.written);
    std::swap(unit, unit_);
    std::swap(scopes, scopes_);
    std::swap(step, step_);
    return unit;
  }

  void touch(uint32_t var) {
    unit_.spans.emplace(var, Span{step_, step_}).first->second.last = step_;
  }

  void read(size_t scope, uint32_t var, size_t begin, size_t end) {
    for (;; --scope) {
      const auto known = scopes_[scope].written.find(var);
      if (known != scopes_[scope].written.end()) {
        std::vector<Elements> missing;
        known->second.forEachMissing(begin, end,
                                     [&](size_t b, size_t e) { missing.push_back({var, b, e}); });
        if (missing.size() == 1) {
          begin = missing[0].begin;
          end = missing[0].end;
        } else {
          for (const Elements& m : missing) {
            if (scopes_[scope].loop) scopes_[scope].carried.insert(var);
            readBelow(scope, m);
          }
          return;
        }
      }
      if (scopes_[scope].loop) scopes_[scope].carried.insert(var);
      if (scope == 0) break;
    }
    unit_.exposed.push_back({var, begin, end});
  }

  void readBelow(size_t scope, const Elements& e) {
    if (scope != 0) return read(scope - 1, e.var, e.begin, e.end);
    unit_.exposed.push_back(e);
  }

  void apply(const std::vector<Elements>& reads, const std::vector<Elements>& writes) {
    for (const Elements& e : reads) {
      if ((e.var & kConstantBit) != 0) {
        live(e.var);
        continue;
      }
      touch(e.var);
      read(scopes_.size() - 1, e.var, e.begin, e.end);
    }
    for (const Elements& e : writes) {
      touch(e.var);
      scopes_.back().written[e.var].add(e.begin, e.end);
    }
  }

  void step(const ProgramData& p) {
    const void* name = &p;
    if (p.kind == ProgramKind::EXECUTE) name = &data_.compute_sets[p.number];
    auto known = steps_.find(name);
    if (known == steps_.end()) known = steps_.emplace(name, stepAccess(data_, p)).first;
    apply(known->second.reads, known->second.writes);
    for (const auto* list : {&known->second.reads, &known->second.writes}) {
      for (const Elements& e : *list) {
        if ((e.var & kConstantBit) == 0) unit_.own.insert(e.var);
      }
    }
    ++step_;
  }

  void call(uint32_t function) {
    auto known = functions_.find(function);
    if (known == functions_.end()) {
      Unit unit = walk(*Access::data(data_.functions[function]));
      known = functions_.emplace(function, std::move(unit)).first;
      order_.push_back(function);
    }
    const Unit& callee = known->second;
    unit_.calls.emplace_back(step_, function);
    for (const auto& s : callee.spans) touch(s.first);
    apply(callee.exposed, callee.written);
    ++step_;
  }

  void enter(bool loop) { scopes_.push_back({loop, {}, {}}); }

  Written leave(size_t begin) {
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    for (uint32_t var : scope.carried) {
      Span& s = unit_.spans.at(var);
      s.first = std::min(s.first, begin);
      s.last = step_ - 1;
    }
    return std::move(scope.written);
  }

  void addWritten(const Written& written) {
    for (const auto& w : written) {
      ElementSet& known = scopes_.back().written[w.first];
      for (const auto& interval : w.second.intervals()) known.add(interval.first, interval.second);
    }
  }

  void visitLoop(const ProgramData& p) {
    const size_t begin = step_;
    enter(true);
    visit(*p.children[0]);
    if (p.kind != ProgramKind::REPEAT) {
      step(p);  // the predicate
      enter(false);
      visit(*p.children[1]);
      leave(step_);  // it may never run
    }
    addWritten(leave(begin));
  }

  // One of the children runs: all of them write what is written for sure.
  void visitBranches(const ProgramData& p) {
    step(p);  // the predicate
    Written all;
    for (size_t i = 0; i < p.children.size(); ++i) {
      enter(false);
      visit(*p.children[i]);
      Written written = leave(step_);
      if (i == 0) {
        all = std::move(written);
        continue;
      }
      for (auto w = all.begin(); w != all.end();) {
        const auto other = written.find(w->first);
        if (other == written.end()) {
          w = all.erase(w);
        } else {
          w->second = w->second.intersection(other->second);
          ++w;
        }
      }
    }
    addWritten(all);
  }

  void visit(const ProgramData& p) {
    switch (p.kind) {
      case ProgramKind::SEQUENCE:
        for (const auto& child : p.children) visit(*child);
        return;
      case ProgramKind::REPEAT:
        if (p.number != 0) visitLoop(p);
        return;
      case ProgramKind::WHILE_TRUE:
      case ProgramKind::WHILE_FALSE:
        return visitLoop(p);
      case ProgramKind::IF:
      case ProgramKind::SWITCH:
        return visitBranches(p);
      case ProgramKind::CALL:
        return call(static_cast<uint32_t>(p.number));
      default:
        return step(p);
    }
  }

  void findOwners(const std::vector<Unit>& programs) {
    owner_.assign(data_.variables.size(), kNobody);
    const auto own = [&](const Unit& unit, uint32_t name) {
      for (uint32_t var : unit.own) {
        uint32_t& owner = owner_[var];
        owner = owner == kNobody || owner == name ? name : kSeveral;
      }
    };
    for (const Unit& u : programs) own(u, kProgram);
    for (const auto& f : functions_) own(f.second, f.first);
  }

  // Whether the memory of a variable counts in the unit, which its functions do not tell.
  bool countsIn(uint32_t var, uint32_t unit) const {
    if (out_.always_live[var]) return false;
    const uint32_t owner = owner_[var];
    return unit == kProgram ? owner == kProgram || owner == kSeveral : owner == unit;
  }

  void sweepAll(std::vector<Unit>& programs) {
    const size_t tiles = data_.target.getNumTiles();
    out_.temporary_bytes.resize(tiles);
    now_.resize(tiles);
    most_.resize(tiles);
    for (uint32_t f : order_) sweep(functions_.at(f), f);
    for (Unit& u : programs) {
      sweep(u, kProgram);
      for (const auto& p : u.peak) {
        size_t& bytes = out_.temporary_bytes[p.first];
        bytes = std::max(bytes, p.second);
      }
    }
  }

  // Finds the unit's peaks.
  void sweep(Unit& unit, uint32_t name) {
    std::vector<std::pair<size_t, uint32_t>> begins, ends;
    for (const auto& s : unit.spans) {
      if (!countsIn(s.first, name)) continue;
      begins.emplace_back(s.second.first, s.first);
      ends.emplace_back(s.second.last, s.first);
    }
    std::sort(begins.begin(), begins.end());
    std::sort(ends.begin(), ends.end());
    std::vector<uint32_t> touched;
    const auto rise = [&](uint32_t tile, size_t bytes) {
      if (most_[tile] == 0) touched.push_back(tile);
      most_[tile] = std::max(most_[tile], now_[tile] + bytes);
    };
    size_t call = 0, end = 0;
    const auto runTo = [&](size_t step) {  // what happens after begins of steps before `step`
      for (;;) {
        const size_t next_call = call == unit.calls.size() ? step : unit.calls[call].first;
        const size_t next_end = end == ends.size() ? step : ends[end].first;
        if (next_call >= step && next_end >= step) return;
        if (next_call <= next_end) {
          for (const auto& p : functions_.at(unit.calls[call].second).peak) rise(p.first, p.second);
          ++call;
        } else {
          forEachTile(ends[end].second, [&](uint32_t tile, size_t bytes) { now_[tile] -= bytes; });
          ++end;
        }
      }
    };
    for (const auto& b : begins) {
      runTo(b.first);
      forEachTile(b.second, [&](uint32_t tile, size_t bytes) {
        rise(tile, bytes);
        now_[tile] += bytes;
      });
    }
    runTo(static_cast<size_t>(-1));
    for (uint32_t tile : touched) {
      unit.peak.emplace_back(tile, most_[tile]);
      most_[tile] = 0;
    }
  }

  template <class Fn>
  void forEachTile(uint32_t var, Fn&& fn) const {
    const Variable& v = data_.variables[var];
    const size_t bytes = data_.target.getTypeSize(v.type);
    v.tiles.forEach(0, v.size, [&](size_t begin, size_t end, uint32_t tile) {
      if (tile != kNoTile && begin != end) fn(tile, (end - begin) * bytes);
    });
  }

  const GraphData& data_;
  Liveness out_;
  std::unordered_map<const void*, StepAccess> steps_;  // by program, or by compute set
  std::unordered_map<uint32_t, Unit> functions_;
  std::vector<uint32_t> order_;     // functions, callees first
  std::vector<uint32_t> owner_;     // [variable]: kNobody, kSeveral, kProgram or a function
  std::vector<size_t> now_, most_;  // [tile]: bytes
  // Of the unit at hand:
  Unit unit_;
  std::vector<Scope> scopes_;
  size_t step_ = 0;
};

}  // namespace

Liveness findLiveness(const GraphData& data, ArrayRef<program::Program> programs) {
  return Analysis(data).run(programs);
}

}  // namespace emulator
}  // namespace poplar
