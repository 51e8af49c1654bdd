#ifndef popart_docs_pydocs_popart_core_hpp
#define popart_docs_pydocs_popart_core_hpp

// The documentation of a class or a function, which the emulation leaves out.
#ifndef DOC
#define DOC(...) ""
#define SINGLE_LINE_DOC(...) ""
#endif

#endif  // popart_docs_pydocs_popart_core_hpp
