import Foundation
import Pictures
import PluginKit

/// `profile`
struct ProfileCommand: LegacyCommand {
    private static let options = ChartOptions()

    let spec = CommandSpec(
        "profile", "draws an elevation profile",
        details: "Takes a route or a track, or a list of coordinates with altitudes (46.5,7.9,1200m).",
        parameters: options.specs, input: .any, output: .value("profile"), effect: .pure,
        examples: [
            .init(
                "three points, to a file",
                "[46.5,7.9,1200m 46.51,7.9,1350m 46.52,7.9,1300m] | profile --out up.svg",
                gives: "profile written to up.svg")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let (title, points) = try Self.points(input)
        guard points.count > 1 else {
            throw PictureErrors.nothing(
                "the value has no elevation profile", fix: "give it a route or a track")
        }
        let units: ScaleUnits = context.environment.units == .imperial ? .imperial : .metric
        let named = try arguments[Self.options.title] ?? title
        let chart = Chart.profile(title: named, points: points, units: units)
        return try Self.options.drawn(chart, as: "profile", arguments)
    }

    private static func points(_ value: Value) throws -> (String, [(distance: Double, elevation: Double)]) {
        if case .object(let object) = value, let drawable = object as? any ProfileDrawable {
            return (drawable.profileTitle, try drawable.profilePoints)
        }
        let places = try (value.asRows?.collect() ?? []).compactMap(\.asCoordinate)
        var distance = 0.0
        var points: [(distance: Double, elevation: Double)] = []
        for (index, place) in places.enumerated() {
            if index > 0 { distance += places[index - 1].distance(to: place) }
            if let altitude = place.altitude { points.append((distance, altitude)) }
        }
        return ("", points)
    }
}

/// The options of the commands that draw charts.
struct ChartOptions {
    let title = Parameter.option("title", .text, "a title")
    private let width = Parameter.option(
        "width", .integer(PictureCommandSettings.sizes), default: "720", "width of a file's picture in points"
    )
    private let height = Parameter.option(
        "height", .integer(PictureCommandSettings.sizes), default: "300",
        "height of a file's picture in points")
    private let rows = Parameter.option("rows", .integer(3...200), default: "12", "rows in the terminal")
    private let out = Parameter.option("out", .outputFile, "file to write, .svg or .png")
    private let force = Parameter.flag("force", "overwrite an existing file")

    var specs: [ParameterSpec] { [title.spec, width.spec, height.spec, rows.spec, out.spec, force.spec] }

    func drawn(_ chart: Chart, as kind: String, _ arguments: Arguments) throws -> Value {
        let size = SceneSize(width: Double(try arguments[width]), height: Double(try arguments[height]))
        let rows = try arguments[rows]
        let drawing = Drawing(
            typeName: kind, scene: { chart.scene(size: size) },
            text: { style, columns in chart.terminal(columns: columns, rows: rows, style: style) },
            facts: Record([("points", .integer(chart.series.reduce(0) { $0 + $1.points.count }))]))
        return try drawing.written(to: try arguments[out], force: try arguments[force])
    }
}
