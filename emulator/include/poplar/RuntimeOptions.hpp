#ifndef poplar_RuntimeOptions_hpp
#define poplar_RuntimeOptions_hpp

#include <poplar/OptionFlags.hpp>  // readJSONFromEnv

#endif  // poplar_RuntimeOptions_hpp
