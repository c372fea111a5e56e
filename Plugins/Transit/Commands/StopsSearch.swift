import PluginKit

/// `stops search TEXT`
struct StopsSearch: CommandProvider {
    let library: FeedLibrary

    var command: Command {
        Command(
            "stops search", "finds stops by their names, best match first",
            details: """
                Every word must begin a word of the name; case and accents do not matter. First come names that are the text, \
                then those that begin with it, then others; among them stops that more lines call at, a station before its \
                platforms. `… | first | stops show` views the stop on the map.
                """,
            .rest("text", .text, minimum: 1, "the beginnings of words of the name"),
            .option(
                "limit", .integer(1...TransitSettings.searchPool), default: "\(TransitSettings.searchLimit)",
                "at most so many"),
            output: .rows(StopObject.searchColumns), effect: .reads,
            examples: [
                .init(
                    "accents do not matter", "stops search universitat | get name", after: Samples.feed,
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
                    "the link to the map", "stops search isle | first | get viewOnMap", after: Samples.feed,
                    gives: "stops show \"ISL\""),
            ], searchTerms: ["find", "name", "fts"]
        ) { context, text, limit in
            let found = try library.feed(context).search(
                text.joined(separator: " "), limit: limit)
            return .table(objects: found.map { StopObject($0) }, columns: StopObject.searchColumns)
        }
    }
}
