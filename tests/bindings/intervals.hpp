// Intervals as pairs of numbers.
#pragma once
#include <poplar/Interval.hpp>
#include <utility>
#include <vector>

inline std::vector<std::pair<size_t, size_t>> pairs(
    const std::vector<poplar::Interval>& intervals) {
  std::vector<std::pair<size_t, size_t>> out;
  for (const poplar::Interval& i : intervals) out.emplace_back(i.begin(), i.end());
  return out;
}

inline std::vector<poplar::Interval> intervals(const std::vector<std::pair<size_t, size_t>>& list) {
  std::vector<poplar::Interval> out;
  for (const auto& p : list) out.emplace_back(p.first, p.second);
  return out;
}

inline std::vector<std::vector<std::pair<size_t, size_t>>> lists(
    const std::vector<std::vector<poplar::Interval>>& all) {
  std::vector<std::vector<std::pair<size_t, size_t>>> out;
  for (const auto& list : all) out.push_back(pairs(list));
  return out;
}
