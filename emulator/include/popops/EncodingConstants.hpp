#ifndef popops_EncodingConstants_hpp
#define popops_EncodingConstants_hpp

/// A label that counts for nothing.
#define MASKED_LABEL_CODE 0xFFFFFFFFU

#endif  // popops_EncodingConstants_hpp
