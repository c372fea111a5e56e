import PluginKit

/// `stops search TEXT`
struct StopsSearch: CommandProvider {
    let library: FeedLibrary

    var command: Command {
        Command(
            "stops search", "find stops by name, best match first",
            details: """
                Every word must be a prefix of a word of the name; case and accents are ignored. Exact names come first, then \
                names that begin with the text, then others; within each group stops served by more lines come first, and a \
                station comes before its platforms. `… | first | stops show` shows the stop on the map.
                """,
            .rest("text", .text, minimum: 1, "prefixes of words of the name"),
            .option(
                "limit", .integer(1...TransitSettings.searchPool), default: "\(TransitSettings.searchLimit)",
                "maximum number of stops"),
            output: .rows(StopObject.searchColumns), effect: .reads,
            examples: [
                .init(
                    "accents are ignored", "stops search universitat | get name", after: Samples.feed,
                    gives: "Universität"),
                .init(
                    "a station before its platforms", "stops search cent | first 3 | select id kind",
                    after: Samples.feed,
                    gives: """
                        id    kind
                        CEN   station
                        CEN3  stop
                        CEN1  stop
                        """),
                .init(
                    "the command that shows it on the map", "stops search isle | first | get viewOnMap",
                    after: Samples.feed,
                    gives: "stops show \"ISL\""),
            ], searchTerms: ["find", "name", "fts"]
        ) { context, text, limit in
            let found = try library.feed(context).search(
                text.joined(separator: " "), limit: limit)
            return .table(objects: found.map { StopObject($0) }, columns: StopObject.searchColumns)
        }
    }
}
