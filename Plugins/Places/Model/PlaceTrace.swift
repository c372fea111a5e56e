import PluginKit

/// The steps of a search: the query, each candidate with the parts of its rank, and the reason for the
/// first.
enum PlaceTrace {
    static func asked(_ source: String, _ query: PlaceQuery, _ count: Int) -> TraceStep {
        TraceStep(
            "ask",
            [
                ("source", .text(source)), ("words", .text(query.words.text)),
                ("near", Value(query.near, Value.coordinate)),
                ("found", .integer(count)),
            ],
            why: query.kinds.map { "of the kinds \($0.sorted().joined(separator: ", "))" }
                ?? "each word matches a word of a name, exactly, as a prefix, or approximately")
    }

    static func started(_ query: PlaceQuery) -> TraceStep {
        .start(
            [("words", .text(query.words.text)), ("near", Value(query.near, Value.coordinate))],
            why: query.near == nil
                ? "all sources of names are searched; without a centre, distance is ignored"
                : "all sources of names are searched; nearer matches rank higher")
    }

    static func left(_ match: PlaceMatch, _ reason: String) -> TraceStep {
        TraceStep(
            "leave",
            [("name", .text(match.name)), ("kind", .text(match.kind)), ("score", number(match.score))],
            why: reason)
    }

    static func ended(_ found: [PlaceMatch], _ limit: Int) -> TraceStep {
        .end(
            [("matches", .integer(found.count)), ("name", Value(found.first?.name) { .text($0) })],
            why: found.isEmpty
                ? "no source has a matching name"
                : found.count == limit
                    ? "the limit of \(limit) matches is reached; the first has the highest order"
                    : "all matches are in order, the highest first")
    }

    /// The candidates with the parts of their rank.
    static let picture = BoardPicturing { steps in
        StepBoard(
            "candidates and scores", listing: ["candidate", "leave"], of: steps,
            columns: ["place", "name", "kind", "match", "score", "nearness", "rank", "order"]
        ) { step in
            step.kind == "leave" ? .refused : step.values["place"].map(StepBoard.text) == "1" ? .best : .kept
        }
    }

    static func record(_ found: [PlaceMatch], in log: inout TraceLog) {
        for (index, match) in found.enumerated() { log.record(candidate(match, index)) }
        guard let first = found.first else {
            log.record(TraceStep("first", [], why: "nothing matches"))
            return
        }
        log.record(
            TraceStep(
                "first", [("name", .text(first.name)), ("order", number(first.order))],
                why: found.count > 1 ? reason(first, found[1]) : "it is the only match"))
    }

    private static func candidate(_ match: PlaceMatch, _ index: Int) -> TraceStep {
        TraceStep(
            "candidate",
            [
                ("place", .integer(index + 1)), ("name", .text(match.name)), ("kind", .text(match.kind)),
                ("match", .text(match.quality.manner.rawValue)), ("words", number(match.quality.words)),
                ("coverage", number(match.quality.coverage)), ("starts", .boolean(match.quality.startsName)),
                ("score", number(match.score)), ("nearness", number(match.nearness)),
                ("rank", number(match.rankCost)), ("order", number(match.order)),
            ], why: sentence(match))
    }

    private static func number(_ value: Double) -> Value { .number((value * 1000).rounded() / 1000) }

    private static func sentence(_ match: PlaceMatch) -> String {
        switch match.quality.manner {
        case .whole: "it is the whole name"
        case .words: "the words are words of the name or prefixes of them"
        case .otherName: "it is an alternative name of the place"
        case .misspelt: "a word is similar to one of the name"
        case .partial: "not all words match"
        case .category: "it is of the kind"
        case .coordinate: "it is a coordinate"
        }
    }

    /// The reason for the order of the first two: the part of the rank that differs most.
    private static func reason(_ first: PlaceMatch, _ second: PlaceMatch) -> String {
        let share = first.distance == nil ? 1 : 0.7
        let parts = [
            ("its name matches better", (first.score - second.score) * share),
            ("it is nearer", first.nearness - second.nearness),
            ("it is more important", second.rankCost - first.rankCost),
        ]
        guard let best = parts.max(by: { $0.1 < $1.1 }), best.1 > 1e-9 else {
            return "it is equal to \(second.name), which comes later in the alphabet"
        }
        let difference = DecimalText.trimmed(first.order - second.order, decimals: 3)
        return "\(best.0) than \(second.name) (\(second.kind)); by \(difference) in all"
    }
}
