#ifndef popart_docs_opset11_docs_hpp
#define popart_docs_opset11_docs_hpp

// The documentation of a method of opset 11, which the emulation leaves out.
#define OPSET11_DOC(...) ""

#endif  // popart_docs_opset11_docs_hpp
