import Geodesy
import PluginKit

extension GuidanceSteps {
    /// The belief after a fix: the followed position and its probability, the others, and a picture of them
    /// along the route.
    static func belief(_ belief: RouteBelief, sigma: Double, of route: GuideRoute) -> TraceStep {
        let positions = belief.positions(sigma: sigma)
        let others = positions.dropFirst().map { position in
            Value.record(
                Record([
                    ("along", .quantity(.metres(position.along))),
                    ("distance", .quantity(.metres(position.distance))),
                    ("share", .quantity(.share(position.share))),
                ]))
        }
        return TraceStep(
            "belief",
            [
                ("along", Value(positions.first) { .quantity(.metres($0.along)) }),
                ("sure", Value(positions.first) { .quantity(.share($0.share)) }),
                ("others", .list(others)),
                ("picture", .text(BeliefPicture(length: route.length, positions: positions).line)),
            ],
            why: others.isEmpty
                ? "no other part of the line explains the fixes"
                : "\(others.count, of: "other part") of the line may explain them")
    }
}

/// The belief along the route as one line of text: the start at the left, the end at the right.
struct BeliefPicture {
    let length: Double
    let positions: [RouteBelief.Position]

    static let columns = 50
    private static let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    /// Shares below this are not drawn.
    private static let least = 0.001

    var line: String {
        var shares = [Double](repeating: 0, count: Self.columns)
        for position in positions where position.share >= Self.least {
            let column = Int(position.along / max(length, 1) * Double(Self.columns))
            shares[max(0, min(Self.columns - 1, column))] += position.share
        }
        return shares.map { share in
            share > 0 ? Self.bars[min(7, Int(share * 8))] : "·"
        }.joined()
    }
}
