#include "process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

extern char** environ;

namespace popc {
namespace {

volatile sig_atomic_t child_group = 0;

void passOn(int signal_number) {
  if (child_group > 0) kill(-child_group, signal_number);
}

int exitStatus(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  std::cerr << "popc: ended by signal " << WTERMSIG(status) << '\n';
  return 128 + WTERMSIG(status);
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("popc: lost track of a child process");
  }
  return exitStatus(status);
}

}  // namespace

int runProcess(const std::vector<std::string>& argv, const Redirects& redirects) {
  std::vector<char*> pointers;
  for (const std::string& argument : argv) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const auto redirect = [&](int fd, const std::string& path, int flags) {
    if (path.empty()) return;
    posix_spawn_file_actions_addopen(&actions, fd, path.c_str(), flags, 0600);
  };
  redirect(STDIN_FILENO, redirects.in, O_RDONLY);
  redirect(STDOUT_FILENO, redirects.out, O_WRONLY | O_CREAT | O_TRUNC);
  redirect(STDERR_FILENO, redirects.err, O_WRONLY | O_CREAT | O_TRUNC);
  pid_t child = 0;
  const int error = posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) {
    throw std::runtime_error("popc: cannot run '" + argv[0] + "': " + std::strerror(error));
  }
  return waitFor(child);
}

std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("popc: cannot read '" + path + "'");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void writeFile(const std::string& path, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("popc: cannot write '" + path + "'");
}

std::string ownFolder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
}

int withTemporaryFolder(const std::function<void(const std::string& folder)>& prepare,
                        const std::function<int(const std::string& folder)>& body) {
  std::string folder = (std::filesystem::temp_directory_path() / "popc-XXXXXX").string();
  if (!mkdtemp(&folder[0])) {
    throw std::runtime_error("popc: cannot make a folder in " +
                             std::filesystem::temp_directory_path().string());
  }
  struct Remover {
    const std::string& folder;
    ~Remover() {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
  } remover{folder};
  prepare(folder);

  // Signals wait until their handler knows whom to pass them to.
  sigset_t signals, before;
  sigemptyset(&signals);
  for (int s : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, s);
  sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("popc: cannot start a child process");
  if (child == 0) {
    setpgid(0, 0);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    setenv("TMPDIR", folder.c_str(), 1);
    _exit(body(folder));
  }
  setpgid(child, child);
  child_group = child;
  signal(SIGPIPE, SIG_IGN);  // a reader that went away must not keep the folder from being removed
  for (int s : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    action.sa_handler = passOn;
    sigaction(s, &action, nullptr);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  return waitFor(child);
}

}  // namespace popc
