#ifndef CSPAWN_H
#define CSPAWN_H

#include <spawn.h>
#include <stdint.h>
#include <sys/types.h>

/// Closes all descriptors from a number on in a program that is about to start; returns 0 or an error number. The C
/// library declares the function only with _GNU_SOURCE.
int spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor);

/// Starts the program in a folder; returns 0 or an error number.
int spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder);

/// Limits the private memory (heap and writable mappings) of a running process, in bytes; returns 0 or an error number.
int spawn_limit_memory(pid_t process, uint64_t bytes);

#endif
