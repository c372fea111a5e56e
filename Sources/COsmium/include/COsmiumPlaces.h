#ifndef COSMIUM_PLACES_H
#define COSMIUM_PLACES_H

#include "COsmium.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Nodes, ways and relations that have a name or an address, with the data for their places, as flat arrays: nodes, then
/// ways, then relations. They include ways and nodes without tags that are members of relations.
typedef struct {
    size_t count;
    /// 0 a node, 1 a way, 2 a relation.
    const uint8_t *types;
    const int64_t *ids;
    /// The start of each object's tags, counted in pairs; one more than there are objects.
    const int64_t *first_tag;
    /// Alternating indexes of keys and values in the texts.
    const int32_t *tags;
    /// The start of each object's points; one more than there are objects.
    const int64_t *first_point;
    /// The node of each point.
    const int64_t *nodes;
    /// Alternating latitude and longitude in 1e-7 degrees; COSM_UNDEFINED for a node missing in the file.
    const int32_t *points;
    /// The start of each relation's members; one more than there are objects.
    const int64_t *first_member;
    /// The index of each member among the objects, or -1 if it is missing in the file.
    const int64_t *members;
    /// The index of each member's role in the texts.
    const int32_t *roles;
    size_t text_count;
    /// The start of each text in the bytes; one more than there are texts.
    const int64_t *first_byte;
    const char *bytes;
    /// The owner of these arrays.
    void *owner;
} cosm_places;

/// Reads the named and addressed objects of a file, and those with one of the tags `kinds`, each as `key=value`, which are
/// searched for without a name: relations, then ways, then nodes, each in a pass. Of relations that are
/// not areas, only as many members are read as determine a location. The arrays are valid until cosm_free_places.
cosm_result cosm_read_places(
    cosm_file *file, const char *const *kinds, size_t kind_count, cosm_progress progress, void *context,
    cosm_places *places);

/// Frees the arrays.
void cosm_free_places(cosm_places *places);

#ifdef __cplusplus
}
#endif

#endif
