/// Entries that create the stores of examples.
enum StoreExample {
    /// Entries that create a store with a table of two huts.
    static let huts = [
        "store copy :memory: huts.db", "store open huts.db --write | get access",
        "sql 'CREATE TABLE huts(name TEXT, beds INTEGER, photo BLOB)'",
        "sql \"INSERT INTO huts VALUES ('Illa', 50, x'00ff'), ('Sorteny', 46, NULL)\"",
    ]

    /// Entries that create a store with two errors: an invalid latitude, and a time in another format.
    static let broken = [
        "waypoint add 46.5,7.9 --label Hut | get label", "waypoint add 46.6,7.9 --label Far | get label",
        "store copy waypoints.db broken.db", "store open broken.db --write | get access",
        "sql \"UPDATE waypoints SET latitude = 946.5 WHERE label = 'Hut'\"",
        "sql \"UPDATE waypoints SET timestamp = '2026-02-06 08:00' WHERE label = 'Far'\"",
    ]
}
