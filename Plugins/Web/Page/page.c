// The files of the page, taken from this folder as they are. As arrays in Swift they take half a minute to build.

#include "CWebPage.h"

// The toolchain's compiler knows `#embed`, which became standard in C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "api.js"
};
static const unsigned char app_css[] = {
#embed "app.css"
};
static const unsigned char app_js[] = {
#embed "app.js"
};
static const unsigned char chart_js[] = {
#embed "chart.js"
};
static const unsigned char console_js[] = {
#embed "console.js"
};
static const unsigned char dom_js[] = {
#embed "dom.js"
};
static const unsigned char files_js[] = {
#embed "files.js"
};
static const unsigned char index_html[] = {
#embed "index.html"
};
static const unsigned char lists_js[] = {
#embed "lists.js"
};
static const unsigned char map_js[] = {
#embed "map.js"
};
static const unsigned char notebooks_js[] = {
#embed "notebooks.js"
};
static const unsigned char plan_js[] = {
#embed "plan.js"
};
static const unsigned char planned_js[] = {
#embed "planned.js"
};
static const unsigned char print_js[] = {
#embed "print.js"
};
static const unsigned char search_js[] = {
#embed "search.js"
};
static const unsigned char steps_js[] = {
#embed "steps.js"
};
static const unsigned char stops_js[] = {
#embed "stops.js"
};
static const unsigned char stores_js[] = {
#embed "stores.js"
};
static const unsigned char sync_js[] = {
#embed "sync.js"
};
static const unsigned char walk_js[] = {
#embed "walk.js"
};

static const web_file files[] = {
    {"api.js", api_js, sizeof api_js},
    {"app.css", app_css, sizeof app_css},
    {"app.js", app_js, sizeof app_js},
    {"chart.js", chart_js, sizeof chart_js},
    {"console.js", console_js, sizeof console_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"files.js", files_js, sizeof files_js},
    {"index.html", index_html, sizeof index_html},
    {"lists.js", lists_js, sizeof lists_js},
    {"map.js", map_js, sizeof map_js},
    {"notebooks.js", notebooks_js, sizeof notebooks_js},
    {"plan.js", plan_js, sizeof plan_js},
    {"planned.js", planned_js, sizeof planned_js},
    {"print.js", print_js, sizeof print_js},
    {"search.js", search_js, sizeof search_js},
    {"steps.js", steps_js, sizeof steps_js},
    {"stops.js", stops_js, sizeof stops_js},
    {"stores.js", stores_js, sizeof stores_js},
    {"sync.js", sync_js, sizeof sync_js},
    {"walk.js", walk_js, sizeof walk_js},
};

const web_file *web_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
