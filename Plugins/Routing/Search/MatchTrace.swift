import Geodesy
import PluginKit

/// The steps of map matching. A candidate is named by its position and a letter: `3b` is the second nearest
/// of the third position used.
enum MatchTrace {
    /// The name of a candidate; positions count from 1.
    static func name(_ position: Int, _ candidate: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return "\(position)"
            + (letters.indices.contains(candidate) ? String(letters[candidate]) : "-\(candidate)")
    }

    static func start(positions: Int, considered: Int) -> TraceStep {
        TraceStep(
            "start",
            [
                ("positions", .integer(positions)), ("considered", .integer(considered)),
                ("within", metres(MatchSettings.radius)), ("sigma", metres(MatchSettings.sigma)),
                ("beta", metres(MatchSettings.beta)),
            ],
            why: """
                a hidden Markov model: a position lies within some sigma of the way, and the path is about as long as the \
                straight line, give or take beta; positions nearer than \(Int(MatchSettings.spacing)) m to the one before \
                are skipped
                """)
    }

    static func position(_ number: Int, _ at: Coordinate, _ near: [SnappedPoint]) -> TraceStep {
        TraceStep(
            "position",
            [
                ("position", .integer(number)), ("at", .coordinate(at.withoutAltitude)),
                ("candidates", .list(near.indices.map { .text(name(number, $0)) })),
                ("distances", .list(near.map { metres($0.distance) })),
            ],
            why: near.isEmpty
                ? "no way is within \(Int(MatchSettings.radius)) m: the position is skipped"
                : "the nearest points of the ways around it, at most \(MatchSettings.candidates)")
    }

    /// The score of the first candidates of a piece depends on their distance only.
    static func first(_ name: String, _ place: SnappedPoint, score: Double) -> TraceStep {
        TraceStep(
            "candidate",
            [
                ("candidate", .text(name)), ("at", .coordinate(place.point.withoutAltitude)),
                ("from", .nothing),
                ("distance", metres(place.distance)), ("score", rounded(score)),
            ], why: "a piece begins here: the score is −½ (distance / sigma)², as it has no predecessor")
    }

    static func reached(
        _ name: String, _ place: SnappedPoint, from: String, way: Double, line: Double, score: Double,
        of count: Int
    ) -> TraceStep {
        TraceStep(
            "candidate",
            [
                ("candidate", .text(name)), ("at", .coordinate(place.point.withoutAltitude)),
                ("from", .text(from)),
                ("distance", metres(place.distance)), ("way", metres(way)), ("line", metres(line)),
                ("score", rounded(score)),
            ],
            why: """
                of the \(count) candidates before it, the score is highest from \(from): its score, less \
                |way − line| / beta, less ½ (distance / sigma)²
                """)
    }

    static func unreached(_ name: String, _ place: SnappedPoint, of count: Int) -> TraceStep {
        TraceStep(
            "unreached",
            [
                ("candidate", .text(name)), ("at", .coordinate(place.point.withoutAltitude)),
                ("distance", metres(place.distance)),
            ],
            why: """
                no path from the \(count) candidates before it is shorter than \(Int(MatchSettings.detour)) times the \
                straight line plus \(Int(MatchSettings.slack)) m
                """)
    }

    static func broken(_ number: Int) -> TraceStep {
        TraceStep(
            "break", [("position", .integer(number))],
            why: "no candidate can be reached: the previous piece ends, and another one begins here")
    }

    static func back(_ names: [String], score: Double) -> TraceStep {
        TraceStep(
            "back", [("way", .list(names.map { .text($0) })), ("score", rounded(score))],
            why: "the likeliest last candidate, traced back over its predecessors")
    }

    static func end(pieces: Int, unmatched: Int) -> TraceStep {
        TraceStep(
            "end", [("pieces", .integer(pieces)), ("unmatched", .integer(unmatched))],
            why: pieces == 0
                ? "no two consecutive positions have connected candidates"
                : "all positions are processed: \(pieces == 1 ? "one path" : "\(pieces) paths") "
                    + "of the likeliest candidates"
        )
    }

    /// Rounded to centimetres, which are the same on every machine.
    private static func metres(_ length: Double) -> Value {
        .quantity(.metres((length * 100).rounded() / 100))
    }

    private static func rounded(_ score: Double) -> Value { .number((score * 1000).rounded() / 1000) }
}
