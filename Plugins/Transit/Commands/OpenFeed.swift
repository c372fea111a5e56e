import Foundation
import PluginKit
import TrailStores

/// `transit open FILE`
struct OpenFeed: CommandProvider {
    let library: FeedLibrary

    var name: String { "transit open" }

    var command: Command {
        Command(
            name, "open another timetable read-only and use it",
            details: """
                Reads the databases that apps ship. Data that an older file lacks (start times, the index of calls, the R*Tree, \
                route types of stops) is built in memory; the file is not changed. `store use` without a name, or \
                `transit own`, returns to the workspace's timetable.
                """,
            .positional("file", .inputFile, "database in the pattern model"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "a second imported timetable", "transit open town.db | get stops",
                    after: ["transit sample", "transit import harbour --into town.db", "transit own"],
                    gives: "121"),
                .init(
                    "not a timetable", "expect-error E-STORE-NOTDB transit open notes.txt",
                    after: ["'no database' | save notes.txt"],
                    gives: "not a SQLite database: notes.txt: does not begin like a database"),
            ], searchTerms: ["gtfs", "app", "database", "store"]
        ) { context, file in
            let feed = try Feed(file, isOwn: false, fallback: context.environment.timeZone)
            let record = try FeedFacts.record(feed)
            FeedOpening.use(file, context)
            return .record(record)
        }
    }
}

/// `transit own`
struct WorkspaceFeed: CommandProvider {
    var name: String { "transit own" }

    var command: Command {
        Command(
            name, "return to the workspace's own timetable",
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "after using another one", "transit own; transit info | get file",
                    after: Samples.feed + ["transit import harbour --into town.db"],
                    gives: "your own timetable is in use\ngtfs.db")
            ]
        ) { context in
            _ = context.stores.use(nil)
            return .text("your own timetable is in use")
        }
    }
}

/// Opening timetables in the session.
enum FeedOpening {
    /// Uses a timetable, which is opened unless it is open already.
    static func use(_ url: URL, _ context: Context) {
        if let known = context.stores.entries.first(where: { $0.url.path == url.path }) {
            _ = context.stores.use(known.name)
            return
        }
        context.stores.add(
            OpenStores.Entry(
                name: context.stores.freeName(for: url), kind: .transit, url: url, isWritable: false))
    }
}
