/*
 * SQLCipher, loaded on first use. It is a SQLite of its own, with the names of SQLite's functions: they are looked up in its
 * handle alone, and neither declared nor defined here.
 */
#ifndef CSQLCIPHER_H
#define CSQLCIPHER_H

#include <stddef.h>

/* Whether the library can be loaded. */
int csqlcipher_is_there(void);

enum csqlcipher_outcome { CSQLCIPHER_DONE, CSQLCIPHER_WRONG_KEY, CSQLCIPHER_FAILED };

/*
 * Writes the decrypted content of a database to a new file. `settings` are statements that select an older version's format, run after the
 * key is set; empty for the library's own. `stop` is asked every few thousand steps. `message` receives the library's words
 * of a failure, and its version of a wrong key. The database may be written: pass a copy.
 */
enum csqlcipher_outcome csqlcipher_decrypt(
    const char *path, const char *key, int key_length, const char *settings, const char *plain, int (*stop)(void *),
    char *message, size_t message_size);

#endif
