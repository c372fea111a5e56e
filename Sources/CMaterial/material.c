// The tour, the lessons and the sample data, taken from the folder of notebooks as they are, so that an installed program has
// them. A lesson that is missing here fails a test.

#include "CMaterial.h"

// The toolchain's compiler knows `#embed`, which became standard in C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char data_N00E000_hgt_gz[] = {
#embed "../../Notebooks/data/N00E000.hgt.gz"
};
static const unsigned char data_broken_waypoints_db[] = {
#embed "../../Notebooks/data/broken-waypoints.db"
};
static const unsigned char data_torn_waypoints_db[] = {
#embed "../../Notebooks/data/torn-waypoints.db"
};
static const unsigned char data_valley_gpx[] = {
#embed "../../Notebooks/data/valley.gpx"
};
static const unsigned char data_valley_osm[] = {
#embed "../../Notebooks/data/valley.osm"
};
static const unsigned char hysteresis_md[] = {
#embed "../../Notebooks/hysteresis.md"
};
static const unsigned char lesson_costs_md[] = {
#embed "../../Notebooks/lesson-costs.md"
};
static const unsigned char lesson_distance_md[] = {
#embed "../../Notebooks/lesson-distance.md"
};
static const unsigned char lesson_graphs_md[] = {
#embed "../../Notebooks/lesson-graphs.md"
};
static const unsigned char lesson_guidance_md[] = {
#embed "../../Notebooks/lesson-guidance.md"
};
static const unsigned char lesson_raptor_md[] = {
#embed "../../Notebooks/lesson-raptor.md"
};
static const unsigned char lesson_search_md[] = {
#embed "../../Notebooks/lesson-search.md"
};
static const unsigned char lesson_sound_md[] = {
#embed "../../Notebooks/lesson-sound.md"
};
static const unsigned char lesson_stores_md[] = {
#embed "../../Notebooks/lesson-stores.md"
};
static const unsigned char lesson_sync_md[] = {
#embed "../../Notebooks/lesson-sync.md"
};
static const unsigned char lesson_turns_md[] = {
#embed "../../Notebooks/lesson-turns.md"
};
static const unsigned char matching_md[] = {
#embed "../../Notebooks/matching.md"
};
static const unsigned char service_day_md[] = {
#embed "../../Notebooks/service-day.md"
};
static const unsigned char tour_md[] = {
#embed "../../Notebooks/tour.md"
};

static const unsigned char licenses[] = {
#embed "Licenses/NOTICES.txt"
};

static const rutter_material materials[] = {
    {"LICENSES", licenses, sizeof licenses},
    {"data/N00E000.hgt.gz", data_N00E000_hgt_gz, sizeof data_N00E000_hgt_gz},
    {"data/broken-waypoints.db", data_broken_waypoints_db, sizeof data_broken_waypoints_db},
    {"data/torn-waypoints.db", data_torn_waypoints_db, sizeof data_torn_waypoints_db},
    {"data/valley.gpx", data_valley_gpx, sizeof data_valley_gpx},
    {"data/valley.osm", data_valley_osm, sizeof data_valley_osm},
    {"hysteresis.md", hysteresis_md, sizeof hysteresis_md},
    {"lesson-costs.md", lesson_costs_md, sizeof lesson_costs_md},
    {"lesson-distance.md", lesson_distance_md, sizeof lesson_distance_md},
    {"lesson-graphs.md", lesson_graphs_md, sizeof lesson_graphs_md},
    {"lesson-guidance.md", lesson_guidance_md, sizeof lesson_guidance_md},
    {"lesson-raptor.md", lesson_raptor_md, sizeof lesson_raptor_md},
    {"lesson-search.md", lesson_search_md, sizeof lesson_search_md},
    {"lesson-sound.md", lesson_sound_md, sizeof lesson_sound_md},
    {"lesson-stores.md", lesson_stores_md, sizeof lesson_stores_md},
    {"lesson-sync.md", lesson_sync_md, sizeof lesson_sync_md},
    {"lesson-turns.md", lesson_turns_md, sizeof lesson_turns_md},
    {"matching.md", matching_md, sizeof matching_md},
    {"service-day.md", service_day_md, sizeof service_day_md},
    {"tour.md", tour_md, sizeof tour_md},
};

const rutter_material *rutter_materials(size_t *count) {
    *count = sizeof materials / sizeof materials[0];
    return materials;
}

const char *rutter_commit(void) { return RUTTER_COMMIT; }
