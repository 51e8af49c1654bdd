// Codelets given as text where files take only their first bytes: the text must not be cut off.
#include <sys/resource.h>

#include <csignal>
#include <iostream>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <sstream>

int main() {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit room = {20, RLIM_INFINITY};
  setrlimit(RLIMIT_FSIZE, &room);
  poplar::Graph graph(poplar::IPUModel().createDevice());
  std::stringstream text("// 20 bytes of this.\n#include <poplar/Vertex.hpp>\n");
  try {
    graph.addCodelets(text);
    std::cout << "no error\n";
  } catch (const poplar::graph_program_compilation_error& e) {
    std::cout << e.what() << "\n";
  }
  return 0;
}
