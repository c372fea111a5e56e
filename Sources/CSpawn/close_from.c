#define _GNU_SOURCE
#include "CSpawn.h"

int spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}
