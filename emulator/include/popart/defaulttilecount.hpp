#ifndef popart_defaulttilecount_hpp
#define popart_defaulttilecount_hpp

namespace popart {

constexpr int defaultFewTiles{4};

constexpr int defaultManyTiles{1216};

}  // namespace popart

#endif  // popart_defaulttilecount_hpp
