#ifndef CSPAWN_H
#define CSPAWN_H

#include <spawn.h>

/// Lets a program that is about to be started have no descriptor from a number on; 0, or an error number. The function of
/// the C library is one that its headers show only to GNU programs.
int spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor);

#endif
