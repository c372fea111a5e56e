#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <sys/resource.h>

int spawn_close_from(posix_spawn_file_actions_t *actions, int descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}

int spawn_in_folder(posix_spawn_file_actions_t *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int spawn_limit_memory(pid_t process, uint64_t bytes) {
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    return prlimit(process, RLIMIT_DATA, &limit, 0) == 0 ? 0 : errno;
}
