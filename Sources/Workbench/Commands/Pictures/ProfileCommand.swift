import Foundation
import Pictures
import PluginKit

/// `profile`
struct ProfileCommand: CommandProvider {
    var name: String { "profile" }

    var command: Command {
        Command(
            name, "draw an elevation profile",
            details: "Accepts a route, a track, or a list of coordinates with altitudes (46.5,7.9,1200m).",
            ChartOptions.parameters, input: .any, output: .value("profile"), effect: .pure,
            examples: [
                .init(
                    "three points, to a file",
                    "[46.5,7.9,1200m 46.51,7.9,1350m 46.52,7.9,1300m] | profile --out up.svg",
                    gives: "profile written to up.svg")
            ], searchTerms: ["elevation profile", "how steep", "climb", "height"]
        ) { input, context, options in
            let (title, parts, length) = try Self.parts(input)
            guard parts.contains(where: { $0.count > 1 }) else {
                guard parts.isEmpty else {
                    throw PictureErrors.nothing(
                        "one height alone is known along it", fix: "a profile takes two points with a height")
                }
                throw PictureErrors.nothing(
                    "no height is known along it", fix: "pass a route, a track or places with altitudes")
            }
            let units: ScaleUnits = context.environment.units == .imperial ? .imperial : .metric
            let chart = Chart.profile(
                title: options.title ?? title, parts: parts, length: length, units: units)
            return try options.drawing(of: chart, as: "profile")
        }
    }

    /// The title, the parts and the metres of the whole way.
    private static func parts(_ value: Value) throws -> (String, [[ProfilePoint]], Double?) {
        if case .object(let object) = value, let drawable = object as? any ProfileDrawable {
            return (drawable.profileTitle, try drawable.profileParts, try drawable.profileLength)
        }
        let places = try (value.asRows?.collect() ?? []).compactMap(\.asCoordinate)
        var distance = 0.0
        var points = ProfileParts<ProfilePoint>()
        for (index, place) in places.enumerated() {
            if index > 0 { distance += places[index - 1].distance(to: place) }
            points.add(
                place.altitude.map { ProfilePoint(distance: distance, elevation: $0) }, at: distance)
        }
        return ("", points.parts, distance)
    }
}

/// The options of the commands that draw charts.
struct ChartOptions {
    let title: String?
    private let width, height, rows: Int
    private let out: URL?
    private let force: Bool

    static let parameters = Parameter<ChartOptions>.group(
        .option("title", .text, "title"),
        .option(
            "width", .integer(PictureCommandSettings.sizes), default: "720", "width of the file in points"),
        .option(
            "height", .integer(PictureCommandSettings.sizes), default: "300", "height of the file in points"),
        .option("rows", .integer(PictureCommandSettings.rows), default: "12", "rows in the terminal"),
        .option("out", .outputFile, "file to write, .svg, .png or .pdf"),
        .flag("force", "overwrite an existing file"), make: ChartOptions.init)

    func drawing(of chart: Chart, as kind: String) throws -> Value {
        let size = SceneSize(width: Double(width), height: Double(height))
        let drawing = Drawing(
            typeName: kind, scene: { chart.scene(size: size) },
            text: { style, columns in chart.terminal(columns: columns, rows: rows, style: style) },
            facts: Record([
                ("points", .integer(chart.series.reduce(0) { $0 + $1.points.count(where: \.isFinite) }))
            ]))
        return try drawing.written(to: out, force: force)
    }
}
