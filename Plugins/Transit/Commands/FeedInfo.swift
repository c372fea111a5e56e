import PluginKit

/// `transit info`
struct FeedInfo: CommandProvider {
    let library: FeedLibrary

    var name: String { "transit info" }

    var command: Command {
        Command(
            name, "show the contents of the timetable",
            details:
                "Counts, first and last day of service, agencies, time zone, the latest departure time of a service day, the days of feed_info.txt (`validFrom`, `validUntil`), and the number of rules of transfers.txt that are not used.",
            output: .value("record"), effect: .reads,
            examples: [
                .init(
                    "of the sample feed",
                    "transit info | select routes trips firstDay lastDay latest timezone",
                    after: Samples.feed,
                    gives: """
                        routes    7
                        trips     268
                        firstDay  2026-01-01
                        lastDay   2026-12-31
                        latest    28:15:00
                        timezone  Europe/Berlin
                        """),
                .init(
                    "without a timetable", "expect-error E-TRANSIT-NOFEED transit info",
                    gives: "there is no timetable"),
            ]
        ) { context in
            .record(try FeedFacts.record(try library.feed(context)))
        }
    }
}
