#ifndef popart_docs_opset7_docs_hpp
#define popart_docs_opset7_docs_hpp

// The documentation of a method of opset 7, which the emulation leaves out.
#define OPSET7_DOC(...) ""

#endif  // popart_docs_opset7_docs_hpp
