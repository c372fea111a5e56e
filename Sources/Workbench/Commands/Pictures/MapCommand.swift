import Foundation
import Geodesy
import Pictures
import PluginKit

/// `map`
struct MapCommand: LegacyCommand {
    private static let options = MapOptions()

    let spec = CommandSpec(
        "map", "draws what has a place on a map",
        details: """
            Web Mercator. The map is fitted to what is drawn unless --center and --zoom or --box say otherwise. In the \
            terminal it is drawn with braille, to a file as SVG or PNG. Lower things first: tiles, routes, tracks, \
            waypoints, the position.
            """,
        parameters: options.specs, input: .any, output: .value("map"), effect: .pure,
        examples: [
            .init(
                "two places, to a file", "[46.5,7.9 46.6,7.8] | map --out two.svg",
                gives: "map written to two.svg"),
            .init("in the terminal", "[46.5,7.9 46.6,7.8] | map"),
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let features = try MapFeatures.of(input)
        return try Self.options.drawn(features, arguments, context)
    }
}

/// The options that every map command has, and what they do.
struct MapOptions {
    private let center = Parameter.option("center", .place, "middle of the map")
    private let zoom = Parameter.option(
        "zoom", .number(PictureCommandSettings.zooms),
        "Web Mercator zoom, 0…22, around --center or the middle of what is drawn")
    private let box = Parameter.option("box", .box, "part of the world to show")
    private let title = Parameter.option("title", .text, "a title")
    private let width = Parameter.option(
        "width", .integer(PictureCommandSettings.sizes), default: "640", "width of a file's picture in points"
    )
    private let height = Parameter.option(
        "height", .integer(PictureCommandSettings.sizes), default: "400",
        "height of a file's picture in points")
    private let rows = Parameter.option("rows", .integer(3...200), default: "20", "rows in the terminal")
    private let out = Parameter.option("out", .outputFile, "file to write, .svg or .png")
    private let force = Parameter.flag("force", "overwrite an existing file")

    var specs: [ParameterSpec] {
        [
            center.spec, zoom.spec, box.spec, title.spec, width.spec, height.spec, rows.spec, out.spec,
            force.spec,
        ]
    }

    /// The map of features; throws `E-PICTURE-NOTHING` when there is nothing to show.
    func drawn(_ features: [MapFeature], _ arguments: Arguments, _ context: Context) throws -> Value {
        let size = SceneSize(width: Double(try arguments[width]), height: Double(try arguments[height]))
        guard let view = try view(features, arguments, size) else {
            throw PictureErrors.nothing("nothing in the value has a place")
        }
        let map = MapScene(
            view: view, features: features,
            furniture: MapFurniture(
                title: try arguments[title] ?? "",
                scale: context.environment.units == .imperial ? .imperial : .metric))
        let rows = try arguments[rows]
        // A zoom that was asked for is kept; a map that was fitted is fitted to the terminal.
        let keepsZoom = try arguments[zoom] != nil && arguments[box] == nil
        let facts = Record([
            ("center", .coordinate(view.center)), ("zoom", .number((view.zoom * 100).rounded() / 100)),
            ("features", .integer(features.count)),
        ])
        let drawing = Drawing(
            typeName: "map", scene: { try map.scene { try Interruption.check() } },
            text: { style, columns in
                try map.terminal(columns: columns, rows: rows, style: style, keepsZoom: keepsZoom) {
                    try Interruption.check()
                }
            }, facts: facts)
        return try drawing.written(to: try arguments[out], force: try arguments[force])
    }

    private func view(_ features: [MapFeature], _ arguments: Arguments, _ size: SceneSize) throws -> MapView?
    {
        if let box = try arguments[box] { return MapView(fitting: box, size: size, padding: 0) }
        let fitted = MapView(fitting: features.lazy.flatMap(\.coordinates), size: size)
        guard let center = try arguments[center] ?? fitted?.center else { return nil }
        let zoom = try arguments[zoom] ?? fitted?.zoom ?? MapView.nearestZoom
        return MapView(center: center, zoom: zoom, size: size)
    }
}
