// One line of output for each case: the error that it must give, or how its process ended. Each
// case runs in a process of its own, as a crash would end all.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <functional>
#include <iostream>
#include <poplar/exceptions.hpp>
#include <string>

inline void report(const std::string& name, const std::function<void()>& fn) {
  std::cout << name << ": " << std::flush;
  const pid_t child = fork();
  if (child == 0) {
    try {
      fn();
      std::cout << "no error\n";
    } catch (const poplar::poplar_error& e) {
      std::cout << e.type << ": " << e.what() << '\n';
    } catch (const std::exception& e) {
      std::cout << e.what() << '\n';
    }
    std::cout << std::flush;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) std::cout << "signal " << WTERMSIG(status) << '\n';
}
