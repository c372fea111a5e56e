import PluginKit

/// `stop find TEXT`
struct StopFind: CommandProvider {
    let library: FeedLibrary
    let screen: StopScreen

    var name: String { "stop find" }

    var command: Command {
        Command(
            name, "find stops by name, best match first",
            details: """
                Every word must be a prefix of a word of the name; case and accents are ignored, abbreviations (Str., Ave, \
                St, Hbf) and `ss` for `ß` match both ways. Codes and identifiers come first, then exact names, then names \
                that begin with the text, then others; within each group stops served by more lines come first, and a \
                station comes before its platforms. If no name matches, similar names are returned, and a note reports that. \
                Lines and, with --near or an open map, the distance distinguish stops of the same name. `… | first | stop show` shows the \
                stop on the map.
                """,
            .rest("text", .text, minimum: 1, "prefixes of words of the name"),
            .option(
                "limit", .integer(1...TransitSettings.searchPool), default: "\(TransitSettings.searchLimit)",
                "maximum number of stops"),
            .option(
                "near", .coordinate,
                "coordinate that distances are measured from; default: the centre of the open map"),
            output: .rows(StopObject.searchColumns), effect: .reads,
            examples: [
                .init(
                    "accents are ignored", "stop find universitat | get name", after: FeedExamples.feed,
                    gives: "Universität"),
                .init(
                    "a station before its platforms", "stop find cent | first 3 | select id kind",
                    after: FeedExamples.feed,
                    gives: """
                        id    kind
                        CEN   station
                        CEN3  stop
                        CEN1  stop
                        """),
                .init(
                    "a misspelled name", "stop find harbor | first | get name", after: FeedExamples.feed,
                    gives: "Harbour"),
                .init(
                    "the command that shows it on the map", "stop find isle | first | get viewOnMap",
                    after: FeedExamples.feed,
                    gives: "stop show \"ISL\""),
            ],
            searchTerms: [
                "id of a stop", "stop id",
                "station by name",
                "which station", "station name", "find", "name", "fts", "station", "bus stop",
                "find a station", "station called", "search a station", "stop number", "stop code",
            ]
        ) { context, text, limit, near in
            let feed = try library.feed(context)
            let query = text.joined(separator: " ")
            let found = try feed.names.find(query, limit: limit)
            let place = try near ?? screen.current(context)?.center
            if let tracing = context.tracing {
                var log = TraceLog(limit: tracing.limit)
                try feed.names.trace(namesLike: query, found: found, limit: limit, into: &log)
                tracing.keep(log, picture: NameSteps.picture)
            }
            let notes = [
                found.areSimilar && !found.stops.isEmpty
                    ? "no stop is named `\(query)`; these names are similar" : nil,
                found.isCut ? "the best \(limit) matches; --limit shows more" : nil,
            ].compactMap { $0 }
            var columns = StopObject.searchColumns
            if place != nil { columns.insert("distance", at: columns.count - 1) }
            return .table(
                objects: try feed.stops.described(found.stops, distanceFrom: place), columns: columns,
                note: Rows.note(notes))
        }.deciding("stop find cent", after: FeedExamples.feed)
    }
}
