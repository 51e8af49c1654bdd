#ifndef popart_docs_opset10_docs_hpp
#define popart_docs_opset10_docs_hpp

// The documentation of a method of opset 10, which the emulation leaves out.
#define OPSET10_DOC(...) ""

#endif  // popart_docs_opset10_docs_hpp
