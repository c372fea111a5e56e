import CivilTime
import Foundation
import Geodesy
import Pages
import Pictures
import PluginKit

/// A journey as a single-file page: it requires no server and no network, and may not use one.
struct HTMLReport {
    let journey: ExportJourney
    let wording: JourneyWording
    /// The background of the map.
    let base: (MapView) throws -> BaseLayer
    let check: () throws -> Void

    /// A finished page.
    struct Document {
        var html: String
        /// Number of photos.
        var photos: Int
        /// Warnings about omitted data.
        var warnings: [String]
    }

    /// Renders the page.
    func document() throws -> Document {
        var warnings = journey.warnings
        let map = try ReportMap(journey: journey, wording: wording, base: base, check: check)
        try check()
        let profile = PageProfile(journey: journey, wording: wording)
        let photos = try PagePhotos(journey: journey, wording: wording, check: check)
        warnings += photos.warnings
        let way = PageWay(journey: journey, wording: wording, view: map?.view, plot: profile?.plot)
        let parts: [String] = [
            "<h1>\(Markup.html(journey.title))</h1>",
            JourneyHeadline(journey, wording).lines.map { "<p class=\"faint\">\(Markup.html($0))</p>" }
                .joined(separator: "\n"),
            facts, map?.html ?? "", Self.readout, profile?.html ?? "", charts, cues, photos.html, waypoints,
            comments,
            notes(warnings),
        ]
        let body = parts.filter { !$0.isEmpty }.joined(separator: "\n")
        return Document(html: page(body, way), photos: photos.count, warnings: warnings)
    }

    private func page(_ body: String, _ way: PageWay) -> String {
        let scripts =
            "<script type=\"application/json\" id=\"way\">\(way.json)</script>\n<script>\n\(Self.script)</script>"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
            script-src 'unsafe-inline'; img-src data:">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="generator" content="rutter">
            <title>\(Markup.html(journey.title))</title>
            <style>
            \(Self.style)</style>
            </head>
            <body>
            <main>
            \(body)
            </main>
            \(scripts)
            </body>
            </html>

            """
    }

    private static var style: String { String(decoding: PackageResources.report_css, as: UTF8.self) }
    private static var script: String { String(decoding: PackageResources.report_js, as: UTF8.self) }

    /// The element in which the script shows the values at the pointer.
    private static let readout = "<p class=\"readout\" id=\"readout\" aria-live=\"polite\"></p>"

    // MARK: Parts

    private var facts: String {
        if journey.kind == .places { return "" }
        let cells = SummaryRows(journey, wording).rows.map { name, value in
            "<div><dt>\(Markup.html(name))</dt><dd>\(Markup.html(value))</dd></div>"
        }
        let method = journey.facts.method.flatMap { method in
            journey.facts.gain != nil || journey.facts.walking != nil
                ? "<p class=\"faint\">Method: \(Markup.html(method)).</p>" : nil
        }
        return "<dl class=\"facts\">\n\(cells.joined(separator: "\n"))\n</dl>\n\(method ?? "")"
    }

    /// Charts of heart rate and pace, if recorded.
    private var charts: String {
        SensorCharts(journey: journey, wording: wording).charts.map { title, chart in
            """
            <h2>\(title)</h2>
            <figure class="chart">\(SceneSVG.inline(chart.scene(size: PageSettings.chart)))</figure>
            """
        }.joined(separator: "\n")
    }

    private var cues: String {
        guard !journey.cues.isEmpty else { return "" }
        let rows = journey.cues.map { cue in
            [
                wording.distance(cue.cumulativeDistance), wording.distance(cue.distanceFromPrevious),
                cue.description,
            ]
        }
        return Self.table(
            "Cue sheet", ["At", "After", "Instruction"], rows, numbers: [0, 1])
    }

    private var waypoints: String {
        guard !journey.places.isEmpty else { return "" }
        let rows = journey.places.enumerated().map { index, place in
            [
                "\(index + 1)", place.name, place.categoryName(in: journey.categories),
                wording.place(place.point.coordinate),
                place.point.coordinate.altitude.map { wording.height($0) } ?? "",
                place.point.time.map { wording.time($0, from: journey.start) } ?? "",
                place.point.description ?? "",
            ]
        }
        return Self.table(
            "Waypoints", ["#", "Name", "Category", "Latitude, longitude", "Elevation", "Time", "Note"], rows,
            numbers: [0, 4, 5])
    }

    private var comments: String {
        guard !journey.comment.isEmpty else { return "" }
        return "<h2>Comments</h2>\n<p class=\"comment\">\(Markup.html(journey.comment))</p>"
    }

    private func notes(_ warnings: [String]) -> String {
        guard !warnings.isEmpty else { return "" }
        let items = warnings.map { "<li>\(Markup.html($0))</li>" }.joined(separator: "\n")
        return "<h2>Notes</h2>\n<ul>\n\(items)\n</ul>"
    }

    private static func table(
        _ title: String, _ heads: [String], _ rows: [[String]], numbers: Set<Int>
    ) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            cells.enumerated().map { index, cell in
                let kind = numbers.contains(index) ? " class=\"number\"" : ""
                return "<\(tag)\(kind)>\(Markup.html(cell))</\(tag)>"
            }.joined()
        }
        let lines = rows.map { "<tr>\(row($0, "td"))</tr>" }.joined(separator: "\n")
        return """
            <h2>\(title)</h2>
            <div class="wide"><table>
            <tr>\(row(heads, "th"))</tr>
            \(lines)
            </table></div>
            """
    }
}

/// Measures of the page.
enum PageSettings {
    /// The map in points: it is drawn as vectors and scaled to the page.
    static let map = SceneSize(width: 920, height: 620)
    /// The profile.
    static let profile = SceneSize(width: 920, height: 280)
    /// Charts of heart rate and pace.
    static let chart = SceneSize(width: 920, height: 200)
    /// Points of the line that the pointer can find.
    static let mostPoints = 2000
}
