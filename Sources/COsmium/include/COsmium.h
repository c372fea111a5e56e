#ifndef COSMIUM_H
#define COSMIUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether maps can be read: the program was built with libosmium, and its dependencies are installed.
int cosm_is_there(void);

/// The outcome of reading.
typedef enum {
    cosm_ok = 0,
    /// The progress function requested a stop.
    cosm_stopped = 1,
    /// An error of the operating system.
    cosm_system = 2,
    /// The file is damaged.
    cosm_damaged = 3,
    /// The file requires a feature that the library does not support.
    cosm_feature = 4,
    /// The file's format is unknown or not supported.
    cosm_kind = 5,
    /// Out of memory.
    cosm_memory = 6
} cosm_status;

/// Receives the bytes read and the size of the file; a result other than 0 stops reading.
typedef int (*cosm_progress)(void *context, uint64_t done, uint64_t total);

typedef struct {
    cosm_status status;
    /// The library's message, truncated to fit.
    char message[256];
    /// The offset up to which the file was read.
    uint64_t offset;
} cosm_result;

/// A file that is read in several passes or by concurrent threads, with the known kinds of its blocks.
typedef struct cosm_file cosm_file;

/// Creates a handle of a file; errors of the file are reported when it is read. NULL if out of memory.
cosm_file *cosm_open(const char *path);

/// Frees a handle; no reader may use it any more.
void cosm_close(cosm_file *file);

/// The area that a file declares to cover, as south, west, north and east in degrees; 0 if it declares none, or several.
int cosm_bounds(cosm_file *file, double *edges);

/// Releases kept unpacked blocks, and sets the maximum bytes of those kept for further passes.
void cosm_keep_blocks(cosm_file *file, size_t bytes);

/// In the references of a route: members beside its main way, such as alternatives, follow.
static const int64_t cosm_side_members = INT64_MIN;

/// In the references of a turn restriction: what its members are, each before the id of the member.
enum { cosm_from_way = 1, cosm_via_node = 2, cosm_via_way = 3, cosm_to_way = 4, cosm_other_member = 5 };

/// Ways with one tag key, in the order of the file, as flat arrays.
typedef struct {
    size_t count;
    const int64_t *ids;
    /// The start of each way's references; one more than there are ways.
    const int64_t *first_ref;
    const int64_t *refs;
    /// Positions of references in 1e-7 degrees, latitude and longitude alternating; NULL unless the file has them.
    const int32_t *ref_positions;
    /// Ways with equal values, except for their own keys, form a class: the number of classes, and the class of each way.
    size_t class_count;
    const int32_t *classes;
    /// For each class the index of each shared key's value in the texts, or -1.
    const int32_t *values;
    /// For each way the same for its own keys.
    const int32_t *own_values;
    size_t text_count;
    /// The start of each text in the bytes; one more than there are texts.
    const int64_t *first_byte;
    const char *bytes;
    /// The owner of these arrays.
    void *owner;
} cosm_ways;

/// Keys of tags; a node is requested if it has one of the first `mark_count`.
typedef struct {
    const char *const *keys;
    size_t mark_count;
    size_t key_count;
} cosm_mark_keys;

/// Reads all ways that have the first of the keys, ferries and platforms, and the relations of hiking routes and ferries with
/// the values of their keys, and the turn restrictions with theirs. The last `own_count` keys of ways, such as the name, do
/// not define classes. References of a relation are the ids of ways, and of other relations as -1 minus the id. Areas are the
/// multipolygons with the same tags as such ways; their references are their members. The arrays of all are valid until
/// cosm_free_ways, also after an error.
cosm_result cosm_read_ways(
    cosm_file *file, const char *const *keys, size_t key_count, size_t own_count, const char *const *route_keys,
    size_t route_key_count, const char *const *turn_keys, size_t turn_key_count, cosm_progress progress,
    void *context, cosm_ways *ways, cosm_ways *routes, cosm_ways *areas, cosm_ways *restrictions);

/// Reads the ways with the ids, which are sorted and unique, without their tags. The arrays are valid until cosm_free_ways.
cosm_result cosm_read_members(
    cosm_file *file, const int64_t *ids, size_t count, cosm_progress progress, void *context, cosm_ways *members);

/// Frees the arrays.
void cosm_free_ways(cosm_ways *ways);

/// Reads the positions of the nodes with the ids, which are sorted and unique. Latitude and longitude are in 1e-7
/// degrees; values of nodes missing in the file are unchanged. `seen` counts all nodes of the file. Requested nodes with
/// one of the marks among the obstacle keys are obstacles; they are valid until cosm_free_ways.
cosm_result cosm_read_nodes(
    cosm_file *file, const int64_t *ids, size_t count, const cosm_mark_keys *obstacle_keys,
    cosm_progress progress, void *context, int32_t *latitudes, int32_t *longitudes, uint64_t *seen,
    cosm_ways *obstacles);

/// Sets for the whole process whether blocks of a megabyte and more are mapped separately and returned to the system when
/// they are freed. Otherwise up to 32 MB are kept for reuse, which is faster for repeated allocations.
void cosm_keep_large_apart(int is_on);

/// Returns freed memory to the system.
void cosm_give_back(void);

/// The value of an unknown position.
#define COSM_UNDEFINED INT32_MAX

#ifdef __cplusplus
}
#endif

#include "COsmiumMap.h"
#include "COsmiumPlaces.h"

#endif
