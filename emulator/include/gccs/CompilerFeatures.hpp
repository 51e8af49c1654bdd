// What the public headers of the libraries take from the SDK's base package.
#ifndef gccs_CompilerFeatures_hpp
#define gccs_CompilerFeatures_hpp

#define GC_DEPRECATED __attribute__((deprecated))

#endif  // gccs_CompilerFeatures_hpp
