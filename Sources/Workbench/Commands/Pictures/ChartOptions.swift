import Foundation
import Pictures
import PluginKit

/// The options of the commands that draw charts.
struct ChartOptions {
    let title: String?
    private let width, height, rows: Int
    let out: URL?
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
