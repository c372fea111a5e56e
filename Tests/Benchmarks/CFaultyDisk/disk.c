#include "CFaultyDisk.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DISKS 64
/// The size in bytes that a disk writes atomically.
#define SECTOR 512

/// An unflushed change of a file. For a write, `old` are the previous bytes; for a change of size, those beyond the
/// new end.
struct change {
    struct change *next, *previous;
    char *path;
    sqlite3_int64 offset, old_size;
    int length, old_length;
    int is_write;
    unsigned char *bytes, *old;
};

struct disk {
    char folder[PATH_MAX];
    size_t length;
    uint64_t random;
    int kind;
    int after;      // Operations until it fails; -1 never.
    int has_failed, is_dead, is_full, lies;
    int generation; // Counts the times that a process ended on it.
    struct change *first, *last;
};

struct file {
    sqlite3_file base;
    struct disk *disk;
    int generation;
    char *path; // NULL where changes need not be kept.
    sqlite3_file *real;
};

static struct disk *disks[DISKS];
static long failures[FAULTY_DISK_KINDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs layer;
static sqlite3_vfs *usual;

static uint64_t next_random(struct disk *disk) {
    disk->random ^= disk->random << 13;
    disk->random ^= disk->random >> 7;
    disk->random ^= disk->random << 17;
    return disk->random;
}

// MARK: Unflushed changes

static void drop(struct disk *disk, struct change *change) {
    if (change->previous) change->previous->next = change->next; else disk->first = change->next;
    if (change->next) change->next->previous = change->previous; else disk->last = change->previous;
    free(change->path);
    free(change->bytes);
    free(change->old);
    free(change);
}

/// Discards the recorded changes of a file, or of all.
static void drop_all(struct disk *disk, const char *path) {
    for (struct change *change = disk->first, *next; change; change = next) {
        next = change->next;
        if (!path || strcmp(change->path, path) == 0) drop(disk, change);
    }
}

static struct change *record(struct file *file, sqlite3_int64 offset, int length, const void *bytes) {
    struct change *change = calloc(1, sizeof *change);
    change->path = strdup(file->path);
    change->offset = offset;
    change->is_write = bytes != NULL;
    file->real->pMethods->xFileSize(file->real, &change->old_size);
    sqlite3_int64 end = bytes ? offset + length : change->old_size;
    if (end > change->old_size) end = change->old_size;
    change->old_length = end > offset ? (int)(end - offset) : 0;
    change->old = malloc(change->old_length + 1);
    if (change->old_length) file->real->pMethods->xRead(file->real, change->old, change->old_length, offset);
    if (bytes) {
        change->length = length;
        change->bytes = malloc(length + 1);
        memcpy(change->bytes, bytes, length);
    }
    change->previous = file->disk->last;
    if (file->disk->last) file->disk->last->next = change; else file->disk->first = change;
    file->disk->last = change;
    return change;
}

static void put(int descriptor, const unsigned char *bytes, int length, sqlite3_int64 offset) {
    while (length > 0) {
        ssize_t count = pwrite(descriptor, bytes, length, offset);
        if (count <= 0) return;
        bytes += count, length -= (int)count, offset += count;
    }
}

/// Reverts unflushed changes, the last first; then lets some of their sectors arrive after all. `path` is the file,
/// or NULL for all. Uses its own descriptors: the caller holds no SQLite locks on closed files; for an open file
/// `descriptor` must be used.
static void lose(struct disk *disk, const char *path, struct file *open_file, int keeps_some) {
    for (struct change *change = disk->last; change; change = change->previous) {
        if (path && strcmp(change->path, path) != 0) continue;
        if (open_file) {
            sqlite3_file *real = open_file->real;
            if (change->old_length)
                real->pMethods->xWrite(real, change->old, change->old_length, change->offset);
            real->pMethods->xTruncate(real, change->old_size);
        } else {
            int descriptor = open(change->path, O_RDWR | O_CLOEXEC);
            if (descriptor < 0) continue;
            put(descriptor, change->old, change->old_length, change->offset);
            if (ftruncate(descriptor, change->old_size)) {}
            close(descriptor);
        }
    }
    if (keeps_some) {
        // All, none or some of it arrives, in any order.
        int share = (int)(next_random(disk) % 4);
        for (struct change *change = disk->first; change; change = change->next) {
            int descriptor = open(change->path, O_RDWR | O_CLOEXEC);
            if (descriptor < 0) continue;
            if (!change->is_write && share == 3) {
                if (ftruncate(descriptor, change->offset)) {}
            }
            for (int start = 0; change->is_write && start < change->length;) {
                int length = SECTOR - (int)((change->offset + start) % SECTOR);
                if (length > change->length - start) length = change->length - start;
                if ((int)(next_random(disk) % 3) < share)
                    put(descriptor, change->bytes + start, length, change->offset + start);
                start += length;
            }
            close(descriptor);
        }
    }
    drop_all(disk, path);
}

// MARK: Failing

/// Counts an operation; returns how it fails, or -1. Failing flushes wait for the next flush.
static int strike(struct disk *disk, int is_flush) {
    if (disk->after < 0) return -1;
    if (disk->after > 0) {
        disk->after--;
        return -1;
    }
    if (disk->kind == FAULTY_DISK_FLUSH && !is_flush) return -1;
    disk->after = -1;
    disk->has_failed = 1;
    failures[disk->kind]++;
    if (disk->kind == FAULTY_DISK_KILL || disk->kind == FAULTY_DISK_POWER) disk->is_dead = 1;
    if (disk->kind == FAULTY_DISK_FULL) disk->is_full = 1;
    return disk->kind;
}

static int is_dead(struct file *file) {
    return file->disk->is_dead || file->generation != file->disk->generation;
}

#define REAL(f) (((struct file *)(f))->real)

static int file_close(sqlite3_file *f) {
    struct file *file = (struct file *)f;
    int result = file->real->pMethods ? file->real->pMethods->xClose(file->real) : SQLITE_OK;
    free(file->path);
    file->path = NULL;
    return result;
}

static int file_read(sqlite3_file *f, void *bytes, int length, sqlite3_int64 offset) {
    pthread_mutex_lock(&lock);
    int dead = is_dead((struct file *)f);
    pthread_mutex_unlock(&lock);
    return dead ? SQLITE_IOERR_READ : REAL(f)->pMethods->xRead(REAL(f), bytes, length, offset);
}

static int file_write(sqlite3_file *f, const void *bytes, int length, sqlite3_int64 offset) {
    struct file *file = (struct file *)f;
    pthread_mutex_lock(&lock);
    int result = SQLITE_OK, passes = length;
    if (is_dead(file)) {
        result = SQLITE_IOERR_WRITE, passes = 0;
    } else {
        int kind = strike(file->disk, 0);
        if (kind >= 0 || file->disk->is_full) {
            result = file->disk->is_full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
            // A part arrives, less than a sector.
            passes = kind >= 0 && length > 0 ? (int)(next_random(file->disk) % length) : 0;
        }
    }
    if (passes > 0) {
        if (file->path) record(file, offset, passes, bytes);
        int written = file->real->pMethods->xWrite(file->real, bytes, passes, offset);
        if (result == SQLITE_OK) result = written;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
    struct file *file = (struct file *)f;
    pthread_mutex_lock(&lock);
    int result;
    if (is_dead(file) || strike(file->disk, 0) >= 0) {
        result = SQLITE_IOERR_TRUNCATE;
    } else {
        if (file->path) record(file, size, 0, NULL);
        result = file->real->pMethods->xTruncate(file->real, size);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static int file_sync(sqlite3_file *f, int flags) {
    struct file *file = (struct file *)f;
    pthread_mutex_lock(&lock);
    int result = SQLITE_OK;
    int kind = is_dead(file) ? FAULTY_DISK_KILL : strike(file->disk, 1);
    if (kind >= 0) {
        result = kind == FAULTY_DISK_FULL ? SQLITE_FULL : SQLITE_IOERR_FSYNC;
        if (kind == FAULTY_DISK_FLUSH && file->path) lose(file->disk, file->path, file, 0);
    } else if (file->path && !file->disk->lies) {
        // The machine stays up: written data need not reach the disk.
        drop_all(file->disk, file->path);
    }
    (void)flags;
    pthread_mutex_unlock(&lock);
    return result;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size) { return REAL(f)->pMethods->xFileSize(REAL(f), size); }
static int file_lock(sqlite3_file *f, int level) { return REAL(f)->pMethods->xLock(REAL(f), level); }
static int file_unlock(sqlite3_file *f, int level) { return REAL(f)->pMethods->xUnlock(REAL(f), level); }
static int file_check(sqlite3_file *f, int *result) { return REAL(f)->pMethods->xCheckReservedLock(REAL(f), result); }
static int file_control(sqlite3_file *f, int code, void *argument) {
    // Preallocated space would be written without passing this layer.
    if (code == SQLITE_FCNTL_SIZE_HINT || code == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
    return REAL(f)->pMethods->xFileControl(REAL(f), code, argument);
}
static int file_sector(sqlite3_file *f) { (void)f; return SECTOR; }
/// Makes no promises about writes interrupted by a power failure.
static int file_traits(sqlite3_file *f) { (void)f; return 0; }
static int file_shm_map(sqlite3_file *f, int region, int size, int extends, void volatile **memory) {
    return REAL(f)->pMethods->xShmMap(REAL(f), region, size, extends, memory);
}
static int file_shm_lock(sqlite3_file *f, int offset, int count, int flags) {
    return REAL(f)->pMethods->xShmLock(REAL(f), offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }
static int file_shm_unmap(sqlite3_file *f, int deletes) { return REAL(f)->pMethods->xShmUnmap(REAL(f), deletes); }

/// Version 2: with shared memory for the write-ahead log, without memory-mapped files, whose changes are invisible
/// here.
static const sqlite3_io_methods methods = {
    2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, file_check,
    file_control, file_sector, file_traits, file_shm_map, file_shm_lock, file_shm_barrier, file_shm_unmap, NULL, NULL,
};

// MARK: The layer

static struct disk *disk_of(const char *path) {
    for (int index = 0; path && index < DISKS; index++) {
        struct disk *disk = disks[index];
        if (disk && strncmp(path, disk->folder, disk->length) == 0 && path[disk->length] == '/') return disk;
    }
    return NULL;
}

static int layer_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *f, int flags, int *out) {
    (void)vfs;
    pthread_mutex_lock(&lock);
    struct disk *disk = disk_of(path);
    int dead = disk && disk->is_dead;
    int generation = disk ? disk->generation : 0;
    pthread_mutex_unlock(&lock);
    if (!disk) return usual->xOpen(usual, path, f, flags, out);
    struct file *file = (struct file *)f;
    memset(file, 0, sizeof *file);
    if (dead) return SQLITE_CANTOPEN;
    file->real = (sqlite3_file *)(file + 1);
    file->disk = disk;
    file->generation = generation;
    int result = usual->xOpen(usual, path, file->real, flags, out);
    if (result != SQLITE_OK) return result;
    int kinds = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
    file->path = flags & kinds ? strdup(path) : NULL;
    file->base.pMethods = &methods;
    return SQLITE_OK;
}

static int layer_delete(sqlite3_vfs *vfs, const char *path, int flushes) {
    (void)vfs;
    pthread_mutex_lock(&lock);
    struct disk *disk = disk_of(path);
    int dead = disk && disk->is_dead;
    if (disk && !dead) drop_all(disk, path);
    pthread_mutex_unlock(&lock);
    return dead ? SQLITE_IOERR_DELETE : usual->xDelete(usual, path, flushes);
}

static int install(void) {
    if (usual) return 1;
    sqlite3_vfs *found = sqlite3_vfs_find(NULL);
    if (!found) return 0;
    layer = *found;
    layer.zName = "faulty-disk";
    layer.pNext = NULL;
    layer.szOsFile = found->szOsFile + (int)sizeof(struct file);
    layer.xOpen = layer_open;
    layer.xDelete = layer_delete;
    usual = found;
    return sqlite3_vfs_register(&layer, 1) == SQLITE_OK;
}

int faulty_disk_make(const char *folder, uint64_t seed) {
    pthread_mutex_lock(&lock);
    int number = -1;
    for (int index = 0; install() && index < DISKS && number < 0; index++) {
        if (disks[index]) continue;
        struct disk *disk = calloc(1, sizeof *disk);
        if (!realpath(folder, disk->folder)) { free(disk); break; }
        disk->length = strlen(disk->folder);
        disk->random = seed | 1;
        disk->after = -1;
        disks[index] = disk;
        number = index;
    }
    pthread_mutex_unlock(&lock);
    return number;
}

void faulty_disk_forget(int number) {
    pthread_mutex_lock(&lock);
    drop_all(disks[number], NULL);
    free(disks[number]);
    disks[number] = NULL;
    pthread_mutex_unlock(&lock);
}

void faulty_disk_arm(int number, int kind, int after) {
    pthread_mutex_lock(&lock);
    // A dead disk keeps the kind by which it ended.
    if (!disks[number]->is_dead) disks[number]->kind = kind;
    disks[number]->after = after;
    pthread_mutex_unlock(&lock);
}

void faulty_disk_end(int number, int kind) {
    pthread_mutex_lock(&lock);
    struct disk *disk = disks[number];
    if (!disk->is_dead) {
        disk->kind = kind;
        disk->has_failed = disk->is_dead = 1;
        failures[kind]++;
    }
    pthread_mutex_unlock(&lock);
}

int faulty_disk_change(int number) {
    pthread_mutex_lock(&lock);
    struct disk *disk = disks[number];
    int kind = disk->is_dead ? FAULTY_DISK_KILL : disk->is_full ? FAULTY_DISK_FULL : strike(disk, 1);
    pthread_mutex_unlock(&lock);
    return kind;
}

void faulty_disk_flush(int number) {
    pthread_mutex_lock(&lock);
    drop_all(disks[number], NULL);
    pthread_mutex_unlock(&lock);
}

void faulty_disk_repair(int number) {
    pthread_mutex_lock(&lock);
    struct disk *disk = disks[number];
    if (disk->is_dead) {
        if (disk->kind == FAULTY_DISK_POWER) lose(disk, NULL, NULL, 1);
        disk->generation++;
    }
    disk->is_dead = disk->is_full = disk->has_failed = 0;
    disk->after = -1;
    pthread_mutex_unlock(&lock);
}

int faulty_disk_has_failed(int number) {
    pthread_mutex_lock(&lock);
    int failed = disks[number]->has_failed;
    pthread_mutex_unlock(&lock);
    return failed;
}

int faulty_disk_is_dead(int number) {
    pthread_mutex_lock(&lock);
    int dead = disks[number]->is_dead;
    pthread_mutex_unlock(&lock);
    return dead;
}

long faulty_disk_failures(int kind) {
    pthread_mutex_lock(&lock);
    long count = failures[kind];
    pthread_mutex_unlock(&lock);
    return count;
}

void faulty_disk_lie(int number, int lies) {
    pthread_mutex_lock(&lock);
    disks[number]->lies = lies;
    pthread_mutex_unlock(&lock);
}
