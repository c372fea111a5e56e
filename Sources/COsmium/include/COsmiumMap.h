#ifndef COSMIUM_MAP_H
#define COSMIUM_MAP_H

#include "COsmium.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A thing that a map shows, valid during the call only.
typedef struct {
    /// 0 a node, 1 a way, 2 a relation whose members form an area.
    int type;
    int64_t id;
    /// The value of each asked key, or NULL.
    const char *const *values;
    /// A number from 0 that things share whose values of the deciding keys and whose `admin_level` are the same.
    int32_t feature_class;
    /// The smallest `admin_level` of the administrative boundaries that the way belongs to; 0 for none.
    int admin_level;
    /// Whether each part is a ring: of a way its own, of a relation those that its members form.
    int is_closed;
    /// Whether nodes or members are missing, or rings do not close.
    int is_broken;
    size_t part_count;
    /// Where the points of a part begin; one more than there are parts.
    const size_t *first_point;
    /// Latitude and longitude in turn, in 1e-7 degrees.
    const int32_t *points;
} cosm_map_feature;

/// Takes a feature; anything but 0 stops the reading.
typedef int (*cosm_take_feature)(void *context, const cosm_map_feature *feature);

/// Which objects are wanted and what of them.
typedef struct {
    /// Keys of tags, of which the first `mark_count` say that an object is wanted.
    const char *const *keys;
    size_t mark_count;
    /// The first so many, at most 254, decide what a thing is.
    size_t class_count;
    size_t key_count;
} cosm_map_keys;

/// Reads the nodes, ways and multipolygons that have one of the marks: relations in a first pass, the rest in a second.
/// A multipolygon that does not assemble is given as far as its rings close.
cosm_result cosm_read_map(
    cosm_file *file, const cosm_map_keys *keys, cosm_progress progress, void *progress_context,
    cosm_take_feature take, void *take_context);

#ifdef __cplusplus
}
#endif

#endif
