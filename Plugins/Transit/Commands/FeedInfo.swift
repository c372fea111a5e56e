import PluginKit

/// `transit info`
struct FeedInfo: CommandProvider {
    let library: FeedLibrary

    var command: Command {
        Command(
            "transit info", "tells what a timetable holds",
            details:
                "Counts, the first and the last day of service, agencies, time zone, the latest departure of a day.",
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
                    "without one", "expect-error E-TRANSIT-NOFEED transit info",
                    gives: "there is no timetable yet"),
            ]
        ) { context in
            .record(try FeedFacts.record(try library.feed(context)))
        }
    }
}
