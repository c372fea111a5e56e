#ifndef ROUTING_BASELINE_H
#define ROUTING_BASELINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The same A* as the plugin's, in C++ on the same arrays: the baseline for the cost of a settled node.
typedef struct baseline_search baseline_search;

baseline_search *baseline_make(
    size_t nodes, const int32_t *first_arc, const void *arcs, const double *costs, const double *space, double least);
void baseline_free(baseline_search *search);

/// The cost from one node to another; infinite if there is no path. `settled` counts the settled nodes.
double baseline_run(baseline_search *search, int32_t from, int32_t to, size_t *settled);

#ifdef __cplusplus
}
#endif

#endif
