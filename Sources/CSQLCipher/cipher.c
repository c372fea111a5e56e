#include "CSQLCipher.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef struct sqlite3 sqlite3;

enum { NOT_A_DATABASE = 26, READ_WRITE = 2, CREATE = 4, NO_MEMORY = 7, STEPS_BETWEEN_STOPS = 10000 };

static struct {
    int (*open_v2)(const char *, sqlite3 **, int, const char *);
    int (*close_v2)(sqlite3 *);
    int (*exec)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);
    const char *(*errmsg)(sqlite3 *);
    int (*key)(sqlite3 *, const void *, int);
    void (*progress_handler)(sqlite3 *, int, int (*)(void *), void *);
    char *(*mprintf)(const char *, ...);
    void (*free)(void *);
} library;

/* The name of each version of the ABI, newest first. */
static const char *const files[] = {"libsqlcipher.so.2", "libsqlcipher.so.1", "libsqlcipher.so.0", "libsqlcipher.so"};

static void *load(void) {
    void *handle = NULL;
    for (size_t index = 0; !handle && index < sizeof files / sizeof *files; ++index) {
        /* Its own calls of sqlite3_… must find its own functions, not those of the SQLite that the program is linked with. */
        handle = dlopen(files[index], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    }
    if (!handle) return NULL;
    *(void **)&library.open_v2 = dlsym(handle, "sqlite3_open_v2");
    *(void **)&library.close_v2 = dlsym(handle, "sqlite3_close_v2");
    *(void **)&library.exec = dlsym(handle, "sqlite3_exec");
    *(void **)&library.errmsg = dlsym(handle, "sqlite3_errmsg");
    *(void **)&library.key = dlsym(handle, "sqlite3_key");
    *(void **)&library.progress_handler = dlsym(handle, "sqlite3_progress_handler");
    *(void **)&library.mprintf = dlsym(handle, "sqlite3_mprintf");
    *(void **)&library.free = dlsym(handle, "sqlite3_free");
    return library.open_v2 && library.close_v2 && library.exec && library.errmsg && library.key &&
                   library.progress_handler && library.mprintf && library.free
               ? handle
               : NULL;
}

int csqlcipher_is_there(void) {
    static void *handle;
    static char tried;
    /* Concurrent threads get the same handle and the same addresses. */
    if (!__atomic_load_n(&tried, __ATOMIC_ACQUIRE)) {
        void *found = load();
        __atomic_store_n(&handle, found, __ATOMIC_RELAXED);
        __atomic_store_n(&tried, 1, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&handle, __ATOMIC_RELAXED) != NULL;
}

static void note(char *message, size_t size, const char *text) { snprintf(message, size, "%s", text ? text : "unknown"); }

struct cell {
    char text[64];
};

static int keep_cell(void *cell, int count, char **values, char **names) {
    (void)names;
    if (count > 0) note(((struct cell *)cell)->text, sizeof((struct cell *)cell)->text, values[0]);
    return 0;
}

static int run(sqlite3 *db, const char *sql) { return library.exec(db, sql, NULL, NULL, NULL); }

/* A number that the export leaves out is written into the new file. */
static int copy_number(sqlite3 *db, const char *name) {
    struct cell cell = {"0"};
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA main.%s", name);
    int status = library.exec(db, sql, keep_cell, &cell, NULL);
    if (status) return status;
    snprintf(sql, sizeof sql, "PRAGMA plain.%s = %.20s", name, cell.text);
    return run(db, sql);
}

static int export(sqlite3 *db, const char *plain) {
    char *sql = library.mprintf("ATTACH DATABASE %Q AS plain KEY ''", plain);
    int status = sql ? run(db, sql) : NO_MEMORY;
    if (sql) library.free(sql);
    if (!status) status = run(db, "SELECT sqlcipher_export('plain')");
    if (!status) status = copy_number(db, "user_version");
    if (!status) status = copy_number(db, "application_id");
    return status ? status : run(db, "DETACH DATABASE plain");
}

enum csqlcipher_outcome csqlcipher_decrypt(
    const char *path, const char *key, int key_length, const char *settings, const char *plain, int (*stop)(void *),
    char *message, size_t message_size) {
    if (!csqlcipher_is_there()) {
        note(message, message_size, "the library is missing");
        return CSQLCIPHER_FAILED;
    }
    sqlite3 *db = NULL;
    struct cell version = {"an unknown version"};
    /* What is attached may be created if the main database may. */
    int status = library.open_v2(path, &db, READ_WRITE | CREATE, NULL);
    if (!status) status = library.key(db, key, key_length);
    if (!status) library.progress_handler(db, STEPS_BETWEEN_STOPS, stop, NULL);
    if (!status) library.exec(db, "PRAGMA cipher_version", keep_cell, &version, NULL);
    if (!status && *settings) status = run(db, settings);
    /* The key is first used by the first page that is read. */
    if (!status) status = run(db, "SELECT count(*) FROM sqlite_master");
    const int is_wrong = status == NOT_A_DATABASE;
    if (!status) status = export(db, plain);
    note(message, message_size, is_wrong ? version.text : status ? library.errmsg(db) : "");
    library.close_v2(db);
    return is_wrong ? CSQLCIPHER_WRONG_KEY : status ? CSQLCIPHER_FAILED : CSQLCIPHER_DONE;
}
