#ifndef COSMIUM_PLACES_H
#define COSMIUM_PLACES_H

#include "COsmium.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Nodes, ways and relations that have a name or an address, with what their places are made of, as flat arrays: nodes,
/// then ways, then relations. Among them are ways and nodes without tags, of which relations consist.
typedef struct {
    size_t count;
    /// 0 a node, 1 a way, 2 a relation.
    const uint8_t *types;
    const int64_t *ids;
    /// Where the tags of an object begin, counted in pairs; one more than there are objects.
    const int64_t *first_tag;
    /// Indexes of keys and values in the texts, in turn.
    const int32_t *tags;
    /// Where the points of an object begin; one more than there are objects.
    const int64_t *first_point;
    /// The node of each point.
    const int64_t *nodes;
    /// Latitude and longitude in turn, in 1e-7 degrees; COSM_UNDEFINED of a node that the file does not have.
    const int32_t *points;
    /// Where the members of a relation begin; one more than there are objects.
    const int64_t *first_member;
    /// The index of each member among the objects, or -1 where the file does not have it.
    const int64_t *members;
    /// The index of each member's role in the texts.
    const int32_t *roles;
    size_t text_count;
    /// Where a text begins in the bytes; one more than there are texts.
    const int64_t *first_byte;
    const char *bytes;
    /// What holds all this.
    void *owner;
} cosm_places;

/// Reads the named and addressed objects of a file: relations, then ways, then nodes, each in a pass. Of relations that are
/// no areas only some members are read, by which they can be placed. The arrays live until cosm_free_places.
cosm_result cosm_read_places(cosm_file *file, cosm_progress progress, void *context, cosm_places *places);

/// Gives the arrays back.
void cosm_free_places(cosm_places *places);

#ifdef __cplusplus
}
#endif

#endif
