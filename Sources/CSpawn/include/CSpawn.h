#ifndef CSPAWN_H
#define CSPAWN_H

#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

/// Lets a program that is about to be started have no descriptor from a number on; 0, or an error number. The function of
/// the C library is one that its headers show only to GNU programs.
int spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor);

/// Starts the program in a folder; 0, or an error number.
int spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder);

/// Limits the private memory (heap and writable mappings) of a running process, in bytes; 0, or an error number.
int spawn_limit_memory(pid_t process, uint64_t bytes);

#endif
