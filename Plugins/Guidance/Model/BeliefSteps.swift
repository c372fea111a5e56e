import Geodesy
import PluginKit

extension GuidanceSteps {
    /// The belief after a fix: the followed position and its probability, the others, and a picture of them
    /// along the route.
    static func belief(_ belief: RouteBelief, sigma: Double, of route: GuideRoute) -> TraceStep {
        let places = belief.places(sigma: sigma)
        let others = places.dropFirst().map { place in
            Value.record(
                Record([
                    ("along", .quantity(.metres(place.along))),
                    ("distance", .quantity(.metres(place.distance))),
                    ("share", .quantity(.share(place.share))),
                ]))
        }
        return TraceStep(
            "belief",
            [
                ("along", Value(places.first) { .quantity(.metres($0.along)) }),
                ("sure", Value(places.first) { .quantity(.share($0.share)) }),
                ("others", .list(others)),
                ("picture", .text(BeliefPicture(length: route.length, places: places).line)),
            ],
            why: others.isEmpty
                ? "no other part of the line explains the fixes"
                : "\(others.count) other part\(others.count == 1 ? "" : "s") of the line may explain them")
    }
}

/// The belief along the route as one line of text: the start at the left, the end at the right.
struct BeliefPicture {
    let length: Double
    let places: [RouteBelief.Place]

    static let columns = 50
    private static let bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    /// Shares below this are not drawn.
    private static let least = 0.001

    var line: String {
        var shares = [Double](repeating: 0, count: Self.columns)
        for place in places where place.share >= Self.least {
            let column = Int(place.along / max(length, 1) * Double(Self.columns))
            shares[max(0, min(Self.columns - 1, column))] += place.share
        }
        return shares.map { share in
            share > 0 ? Self.bars[min(7, Int(share * 8))] : "·"
        }.joined()
    }
}
