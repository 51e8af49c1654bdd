// Checks of matrix products.
#pragma once
#include <poplar/OptionFlags.hpp>
#include <poplin/MatMul.hpp>
#include <vector>

namespace poplin {

/// Throw poputil::poplibs_error where shapes are not those of a product.
void checkShape(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b,
                const char* operation);
void checkProduct(const MatMulParams& product, const char* operation);

/// Checks the options of a product and enters it into the cache.
void planProduct(const MatMulParams& product, const poplar::OptionFlags& options,
                 PlanningCache* cache);

/// The shape [M, K] of a group of [G, M, K].
std::vector<std::size_t> ofGroup(const std::vector<std::size_t>& shape, const char* operation);

}  // namespace poplin
