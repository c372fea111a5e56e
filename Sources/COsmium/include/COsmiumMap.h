#ifndef COSMIUM_MAP_H
#define COSMIUM_MAP_H

#include "COsmium.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A map feature, valid only during the call.
typedef struct {
    /// 0 a node, 1 a way, 2 a relation whose members form an area.
    int type;
    int64_t id;
    /// The value of each requested key, or NULL.
    const char *const *values;
    /// The number of its class, from 0: features with equal values of the deciding keys and equal `admin_level`.
    int32_t feature_class;
    /// The smallest `admin_level` of the administrative boundaries that the way belongs to; 0 for none.
    int admin_level;
    /// Whether each part is a ring: that of a way, or those that the members of a relation form.
    int is_closed;
    /// Whether nodes or members are missing, or rings are not closed.
    int is_broken;
    /// Whether closed ways that are holes of the area are tagged like it, as was usual before 2012.
    int repeats_tags;
    size_t part_count;
    /// The start of each part's points; one more than there are parts.
    const size_t *first_point;
    /// Alternating latitude and longitude in 1e-7 degrees.
    const int32_t *points;
} cosm_map_feature;

/// Receives a feature; a result other than 0 stops reading.
typedef int (*cosm_take_feature)(void *context, const cosm_map_feature *feature);

/// The requested objects and tags.
typedef struct {
    /// Keys of tags; an object is requested if it has one of the first `mark_count`.
    const char *const *keys;
    size_t mark_count;
    /// The number of keys at the start, at most 254, that decide the class.
    size_t class_count;
    size_t key_count;
} cosm_map_keys;

/// Reads the nodes, ways and multipolygons that have one of the marks: relations in a first pass, the rest in a second.
/// Of an incomplete multipolygon the closed rings are passed on. One without tags has those of its outer ways, if these are alike.
cosm_result cosm_read_map(
    cosm_file *file, const cosm_map_keys *keys, cosm_progress progress, void *progress_context,
    cosm_take_feature take, void *take_context);

#ifdef __cplusplus
}
#endif

#endif
