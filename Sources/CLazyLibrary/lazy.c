#include "CLazyLibrary.h"

#include <dlfcn.h>

static void *handle_of(lazy_library *library, int index) {
    void *handle = __atomic_load_n(&library->handles[index], __ATOMIC_ACQUIRE);
    if (handle) return handle;
    // Concurrent threads get the same handle.
    handle = dlopen(library->files[index], RTLD_LAZY | RTLD_LOCAL);
    __atomic_store_n(&library->handles[index], handle, __ATOMIC_RELEASE);
    return handle;
}

int lazy_is_there(lazy_library *library) {
    int count = 0;
    for (; count < LAZY_FILES && library->files[count]; ++count) {
        if (!handle_of(library, count)) return 0;
    }
    return count > 0;
}

void *lazy_function(lazy_library *library, const char *name) {
    void *found = NULL;
    for (int index = 0; !found && index < LAZY_FILES && library->files[index]; ++index) {
        void *handle = handle_of(library, index);
        if (handle) found = dlsym(handle, name);
    }
    return found;
}
