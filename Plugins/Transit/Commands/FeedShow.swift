import PluginKit

/// `feed show`
struct FeedShow: CommandProvider {
    let library: FeedLibrary

    var name: String { "feed show" }

    var command: Command {
        Command(
            name, "show the contents of the timetable",
            details:
                "Counts, first and last day of service, agencies, time zone, the latest departure time of a service day, the days of feed_info.txt (`validFrom`, `validUntil`), and the number of rules of transfers.txt that are not used.",
            output: .value("record"), effect: .reads,
            examples: [
                .init(
                    "of the sample feed",
                    "feed show | select routes trips firstDay lastDay latest timezone",
                    after: FeedExamples.feed,
                    gives: """
                        routes    7
                        trips     268
                        firstDay  2026-01-01
                        lastDay   2026-12-31
                        latest    28:15:00
                        timezone  Europe/Berlin
                        """),
                .init(
                    "without a timetable", "expect-error E-TRANSIT-NOFEED feed show",
                    gives: "there is no timetable"),
            ],
            searchTerms: [
                "how many trips", "number of trips", "how many stops",
                "is the timetable current", "validity", "which timetable", "what is in the timetable",
                "how long is the timetable valid", "number of stops", "size of a feed",
            ]
        ) { context in
            .record(try FeedFacts.record(try library.feed(context)))
        }
    }
}

/// `feed list`
struct FeedList: CommandProvider {
    let library: FeedLibrary

    var name: String { "feed list" }

    var command: Command {
        Command(
            name, "list the feeds of the timetable",
            details: """
                A timetable has one feed or several, each with the prefix of its identifiers and its own time zone. \
                `store list` shows the other timetables that are open.
                """,
            output: .rows(FeedFacts.feedColumns), effect: .reads,
            examples: [
                .init(
                    "of the sample feed", "feed list | select source timezone", after: FeedExamples.feed,
                    gives: """
                        source   timezone
                        harbour  Europe/Berlin
                        """),
                .init(
                    "two feeds", "feed list | select prefix | to csv",
                    after: ["feed sample", "feed import harbour harbour --prefix a: --prefix b:"],
                    gives: "prefix\na:\nb:"),
            ],
            searchTerms: [
                "remove a timetable", "delete a timetable", "gtfs", "agencies", "sources",
            ]
        ) { context in
            .table(columns: FeedFacts.feedColumns, cells: FeedFacts.feeds(try library.feed(context)))
        }
    }
}
