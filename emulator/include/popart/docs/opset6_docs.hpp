#ifndef popart_docs_opset6_docs_hpp
#define popart_docs_opset6_docs_hpp

// The documentation of a method of opset 6, which the emulation leaves out.
#define OPSET6_DOC(...) ""

#endif  // popart_docs_opset6_docs_hpp
