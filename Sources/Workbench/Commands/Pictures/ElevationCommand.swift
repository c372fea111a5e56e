import Pictures
import PluginKit

/// `elevation`
struct ElevationCommand: CommandProvider {
    /// A way with heights.
    private struct Way {
        var title = ""
        var parts: [[ProfilePoint]] = []
        /// Metres of the whole way; `nil` if heights are known to its end.
        var length: Double?
        var facts = Record([])
    }

    /// What is asked for in place of the picture.
    private static let form = Parameter<Form>.group(
        .flag("points", "the heights as rows"),
        .flag("stats", "lowest, highest, climb and what else is known")
    ) { points, stats in
        guard points || stats else { return .picture }
        guard points != stats else {
            throw CommonErrors.argumentRange(
                "--points and --stats cannot be combined", at: .parameter("stats"), fix: "use one of them")
        }
        return points ? .points : .stats
    }

    private enum Form: String { case picture, points, stats }

    var name: String { "elevation" }

    var command: Command {
        Command(
            name, "draw or tabulate an elevation profile",
            details: """
                Takes a route, a hike, a track, or a list of coordinates with altitudes (46.5,7.9,1200m). --points lists the \
                heights by their distance; on bridges, in tunnels and on ferries they are those between the ends. --stats shows \
                the lowest and highest point, and of a route or hike the climb as it is counted there; what is unknown is `nothing`.
                """,
            Self.form, ChartOptions.parameters, input: .any, output: .any, effect: .pure,
            examples: [
                .init(
                    "three points, to a file",
                    "[46.5,7.9,1200m 46.51,7.9,1350m 46.52,7.9,1300m] | elevation --out up.svg",
                    gives: "profile written to up.svg"),
                .init(
                    "as rows", "[46.5,7.9,1200m 46.51,7.9,1350m] | elevation --points | last | get elevation",
                    gives: "1350m"),
                .init(
                    "the highest", "[46.5,7.9,1200m 46.51,7.9,1350m] | elevation --stats | get maximum",
                    gives: "1350m"),
            ],
            searchTerms: [
                "height at a point", "highest point", "altitude chart", "slope", "uphill",
                "elevation profile", "how steep", "climb", "height", "profile", "ascent", "gain", "gradient",
                "steep", "height difference", "ups and downs", "hill profile", "up and down",
            ]
        ) { input, context, form, options in
            if form != .picture, options.out != nil {
                throw CommonErrors.argumentRange(
                    "--out writes the picture", at: .parameter("out"),
                    fix: "… | elevation --\(form.rawValue) | save FILE.csv")
            }
            let way = try Self.way(input)
            switch form {
            case .points: return Self.rows(way)
            case .stats: return .record(Self.stats(way))
            case .picture: break
            }
            guard way.parts.contains(where: { $0.count > 1 }) else {
                guard way.parts.isEmpty else {
                    throw PictureErrors.nothing(
                        "one height alone is known along it", fix: "a profile takes two points with a height")
                }
                throw Self.unknownHeights
            }
            let units = ScaleUnits(context.environment.units)
            let chart = Chart.profile(
                title: options.title ?? way.title, parts: way.parts, length: way.length, units: units)
            return try options.drawing(of: chart, as: "profile")
        }
    }

    private static func way(_ value: Value) throws -> Way {
        if case .object(let object) = value, let drawable = object as? any ProfileDrawable {
            return Way(
                title: drawable.profileTitle, parts: try drawable.profileParts,
                length: try drawable.profileLength,
                facts: try (object as? any ClimbingObject)?.climbFacts ?? Record([]))
        }
        let places = try (value.asRows?.collect() ?? []).compactMap(\.asCoordinate)
        guard !places.isEmpty else { throw unknownHeights }
        var distance = 0.0
        var points = ProfileParts<ProfilePoint>()
        for (index, place) in places.enumerated() {
            if index > 0 { distance += places[index - 1].distance(to: place) }
            points.add(
                place.altitude.map { ProfilePoint(distance: distance, elevation: $0) }, at: distance)
        }
        return Way(parts: points.parts, length: distance)
    }

    private static var unknownHeights: RutterError {
        PictureErrors.nothing(
            "no height is known along it", fix: "pass a route, a track or places with altitudes")
    }

    /// A row a height; the column `interpolated` only where some are.
    private static func rows(_ way: Way) -> Value {
        let points = way.parts.joined()
        let hasStretches = points.contains(where: \.isInterpolated)
        return .table(
            columns: ["distance", "elevation"] + (hasStretches ? ["interpolated"] : []),
            cells: points.map { point in
                [.quantity(.metres(point.distance)), .quantity(.altitude(point.elevation))]
                    + (hasStretches ? [.boolean(point.isInterpolated)] : [])
            })
    }

    private static func stats(_ way: Way) -> Record {
        let heights = way.parts.joined().map(\.elevation)
        var record = Record([
            ("minimum", Value(heights.min()) { .quantity(.altitude($0)) }),
            ("maximum", Value(heights.max()) { .quantity(.altitude($0)) }),
        ])
        for (name, value) in zip(way.facts.keys, way.facts.values) { record[name] = value }
        return record
    }
}
