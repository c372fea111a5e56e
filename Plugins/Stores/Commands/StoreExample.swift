/// Entries that make a store with two mistakes: a latitude that there is not, and a time in another format.
enum StoreExample {
    static let broken = [
        "waypoint add 46.5,7.9 --label Hut | get label", "waypoint add 46.6,7.9 --label Far | get label",
        "store copy waypoints.db broken.db", "store open broken.db --write | get access",
        "sql \"UPDATE waypoints SET latitude = 946.5 WHERE label = 'Hut'\"",
        "sql \"UPDATE waypoints SET timestamp = '2026-02-06 08:00' WHERE label = 'Far'\"",
    ]
}
