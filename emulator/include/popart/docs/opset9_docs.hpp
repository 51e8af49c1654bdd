#ifndef popart_docs_opset9_docs_hpp
#define popart_docs_opset9_docs_hpp

// The documentation of a method of opset 9, which the emulation leaves out.
#define OPSET9_DOC(...) ""

#endif  // popart_docs_opset9_docs_hpp
