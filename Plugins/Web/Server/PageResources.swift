/// The page's own files by name; a test compares the list with the folder.
enum PageResources {
    static let all: [(name: String, bytes: [UInt8])] = [
        ("app.css", PackageResources.app_css),
        ("app.js", PackageResources.app_js),
        ("api.js", PackageResources.api_js),
        ("chart.js", PackageResources.chart_js),
        ("console.js", PackageResources.console_js),
        ("dom.js", PackageResources.dom_js),
        ("files.js", PackageResources.files_js),
        ("index.html", PackageResources.index_html),
        ("lists.js", PackageResources.lists_js),
        ("map.js", PackageResources.map_js),
        ("notebooks.js", PackageResources.notebooks_js),
        ("plan.js", PackageResources.plan_js),
        ("search.js", PackageResources.search_js),
        ("steps.js", PackageResources.steps_js),
        ("stops.js", PackageResources.stops_js),
        ("stores.js", PackageResources.stores_js),
        ("sync.js", PackageResources.sync_js),
        ("walk.js", PackageResources.walk_js),
    ]
}
