#ifndef popart_docs_opset8_docs_hpp
#define popart_docs_opset8_docs_hpp

// The documentation of a method of opset 8, which the emulation leaves out.
#define OPSET8_DOC(...) ""

#endif  // popart_docs_opset8_docs_hpp
