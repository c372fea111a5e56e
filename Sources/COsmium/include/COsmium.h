#ifndef COSMIUM_H
#define COSMIUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether maps can be read: the program was built with libosmium, and what that leans on is installed.
int cosm_is_there(void);

/// Why reading ended.
typedef enum {
    cosm_ok = 0,
    /// The progress function asked to stop.
    cosm_stopped = 1,
    /// The operating system refused.
    cosm_system = 2,
    /// The file is damaged.
    cosm_damaged = 3,
    /// The file needs a feature that the library does not know.
    cosm_feature = 4,
    /// The kind of file is not known or not supported.
    cosm_kind = 5,
    /// Memory ran out.
    cosm_memory = 6
} cosm_status;

/// Takes the bytes read and the size of the file; anything but 0 stops the reading.
typedef int (*cosm_progress)(void *context, uint64_t done, uint64_t total);

typedef struct {
    cosm_status status;
    /// The library's words, cut to fit.
    char message[256];
    /// The byte up to which the file had been read.
    uint64_t offset;
} cosm_result;

/// A file that is read, in several passes or by several threads at once, with what was learned of it.
typedef struct cosm_file cosm_file;

/// Names a file; what is wrong with it says who reads it. NULL where memory ran out.
cosm_file *cosm_open(const char *path);

/// Forgets a file that nobody reads any more.
void cosm_close(cosm_file *file);

/// Forgets unpacked blocks that were kept; from now on keeps up to so many bytes of them for further passes.
void cosm_keep_blocks(cosm_file *file, size_t bytes);

/// Ways with one tag key, in the order of the file, as flat arrays.
typedef struct {
    size_t count;
    const int64_t *ids;
    /// Where the references of a way begin; one more than there are ways.
    const int64_t *first_ref;
    const int64_t *refs;
    /// Positions of references in 1e-7 degrees, latitude and longitude in turn; NULL unless the file has them.
    const int32_t *ref_positions;
    /// Ways whose values are the same but for those of their own are one class: how many there are, and that of each way.
    size_t class_count;
    const int32_t *classes;
    /// For each class the index of each shared key's value in the texts, or -1.
    const int32_t *values;
    /// For each way the same of the keys that are its own.
    const int32_t *own_values;
    size_t text_count;
    /// Where a text begins in the bytes; one more than there are texts.
    const int64_t *first_byte;
    const char *bytes;
    /// What holds all this.
    void *owner;
} cosm_ways;

/// Keys of tags, of which the first `mark_count` say that a node is wanted for them.
typedef struct {
    const char *const *keys;
    size_t mark_count;
    size_t key_count;
} cosm_mark_keys;

/// Reads all ways that have the first of the keys, ferries and platforms, and the relations of hiking routes with the values of
/// their keys. The last `own_count` keys of ways, such as the name, make no class. References of a relation are the ids of ways, and of other relations as -1 less the id. The arrays of both live
/// until cosm_free_ways, whatever comes of the reading.
cosm_result cosm_read_ways(
    cosm_file *file, const char *const *keys, size_t key_count, size_t own_count, const char *const *route_keys,
    size_t route_key_count, cosm_progress progress, void *context, cosm_ways *ways, cosm_ways *routes);

/// Gives the arrays back.
void cosm_free_ways(cosm_ways *ways);

/// Reads the positions of the nodes with the ids, which are sorted and without repetition. Latitude and longitude
/// are in 1e-7 degrees; what is not in the file keeps its value. `seen` counts all nodes of the file. Of the nodes
/// asked for, those with one of the marks among the obstacle keys are obstacles; they live until cosm_free_ways.
cosm_result cosm_read_nodes(
    cosm_file *file, const int64_t *ids, size_t count, const cosm_mark_keys *obstacle_keys,
    cosm_progress progress, void *context, int32_t *latitudes, int32_t *longitudes, uint64_t *seen,
    cosm_ways *obstacles);

/// Whether memory of a megabyte and more is taken from the system by itself, and given back when it is freed; of the whole
/// process. Otherwise up to 32 MB are kept for others, which is quicker for what comes again and again.
void cosm_keep_large_apart(int is_on);

/// Gives memory back to the system that was freed.
void cosm_give_back(void);

/// The value of a position that is not known.
#define COSM_UNDEFINED INT32_MAX

#ifdef __cplusplus
}
#endif

#include "COsmiumMap.h"
#include "COsmiumPlaces.h"

#endif
