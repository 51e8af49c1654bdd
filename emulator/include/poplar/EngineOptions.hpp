#ifndef poplar_EngineOptions_hpp
#define poplar_EngineOptions_hpp

#include <poplar/OptionFlags.hpp>  // what an Engine takes its options as

#endif  // poplar_EngineOptions_hpp
