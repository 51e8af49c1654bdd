// Child processes, files and the temporary folder.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace popc {

struct Redirects {
  std::string in, out, err;  // paths; empty: inherited
};

// Runs argv[0] as found on PATH and returns its exit status (128 + signal where one ended it).
// Throws std::runtime_error where it cannot be started.
int runProcess(const std::vector<std::string>& argv, const Redirects& redirects);

std::string readFile(const std::string& path);                     // throws std::runtime_error
void writeFile(const std::string& path, const std::string& text);  // makes its folder, too
std::string ownFolder();                                           // the folder of this executable

// Calls body(folder) in a child process of its own group and removes the folder when that ends,
// however it ends. SIGINT, SIGTERM and SIGHUP are passed on to the group. Returns body's result.
int withTemporaryFolder(const std::function<void(const std::string& folder)>& prepare,
                        const std::function<int(const std::string& folder)>& body);

}  // namespace popc
