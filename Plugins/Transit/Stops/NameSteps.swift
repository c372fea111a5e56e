import Foundation
import PluginKit

/// The steps of a search for stops by name.
enum NameSteps {
    /// The stops with the class of their match.
    static let picture = BoardPicturing { steps in
        StepBoard(
            "stops by class of match", listing: ["candidate"], of: steps,
            columns: ["place", "class", "name", "id", "kind"]
        ) { step in
            step.values["place"].map(StepBoard.text) == "1"
                ? .best : step.values["listed"].map(StepBoard.text) == "yes" ? .kept : .refused
        }
    }

    static func started(_ words: [String]) -> TraceStep {
        .start(
            [("words", .list(words.map { .text($0) }))],
            why: "every word must begin a word of the name; case, accents and abbreviations are ignored")
    }

    static func candidate(_ stop: StopRecord, rank: Int, kind: NameClass, isListed: Bool) -> TraceStep {
        TraceStep(
            "candidate",
            [
                ("place", .integer(rank)), ("name", .text(stop.name)), ("id", .text(stop.id)),
                ("kind", .text(stop.kind.word)), ("class", .text(kind.rawValue)),
                ("listed", .boolean(isListed)),
            ], why: kind.words + (isListed ? "" : "; beyond the limit"))
    }

    static func ended(_ count: Int, isCut: Bool) -> TraceStep {
        .end(
            [("stops", .integer(count))],
            why: count == 0
                ? "no name matches, and none is similar"
                : isCut
                    ? "the limit is reached; later classes cannot come before these"
                    : "all matches are in order")
    }

    /// The classes of match, best first.
    enum NameClass: String {
        case code, whole, begins, contains, similar

        var words: String {
            switch self {
            case .code: "the text is its code or identifier"
            case .whole: "the text is its whole name"
            case .begins: "its name begins with the text"
            case .contains:
                "each word of the text begins a word of its name; stops of more lines come first, a station before its platforms"
            case .similar: "no name matches; this one resembles the text"
            }
        }
    }
}

extension StopNames {
    /// Records the rank of each stop found. Runs the search again without its limit.
    func trace<T: TraceRecorder>(
        namesLike text: String, found: FoundNames, limit: Int, into log: inout T
    ) throws {
        let words = NameWords.folded(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
        log.record(NameSteps.started(words))
        let all = try find(text, limit: TransitSettings.searchPool)
        let codes = Set(try coded(text).map(\.number))
        let listed = Set(found.stops.map(\.number))
        for (index, stop) in all.stops.enumerated() {
            let name = NameWords.folded(stop.name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
            let kind: NameSteps.NameClass =
                codes.contains(stop.number)
                ? .code
                : found.areSimilar
                    ? .similar
                    : name == words
                        ? .whole
                        : zip(name, words).allSatisfy({ $0.hasPrefix($1) }) && name.count >= words.count
                            ? .begins : .contains
            log.record(
                NameSteps.candidate(
                    stop, rank: index + 1, kind: kind, isListed: listed.contains(stop.number)))
        }
        log.record(NameSteps.ended(found.stops.count, isCut: found.isCut))
    }
}
