import Formats
import Foundation
import Geodesy
import Pages
import Pictures
import PluginKit

/// The map of a page, as vectors that can be zoomed.
struct ReportMap {
    let view: MapView
    let html: String

    /// `nil` for a journey without coordinates.
    init?(
        journey: ExportJourney, wording: JourneyWording, base: (MapView) throws -> BaseLayer,
        check: () throws -> Void
    ) throws {
        let lines = JourneyDrawing.printedLines(journey)
        let pins = JourneyDrawing.pins(journey, numbered: true)
        let places = (lines + pins).lazy.flatMap(\.coordinates)
        guard
            let view = MapView(
                fitting: places, size: PageSettings.map, padding: ReportSettings.mapPadding, nearest: 17)
        else { return nil }
        self.view = view
        let base = try base(view)
        try check()
        let furniture = MapFurniture(scale: ScaleUnits(wording.units))
        var scene = try base.scene(of: view, lines + pins, furniture)
        scene.title = "Map of \(journey.title)"
        html = """
            <h2>Map</h2>
            <figure class="map">\(SceneSVG.inline(scene))<div class="buttons">
            <button id="zoom-in" type="button" aria-label="Zoom in">+</button>
            <button id="zoom-out" type="button" aria-label="Zoom out">−</button>
            <button id="zoom-all" type="button" aria-label="Show all">All</button>
            </div></figure>
            <p class="faint">\(Markup.html(base.attribution))</p>
            """
    }
}

/// The elevation profile of a page.
struct PageProfile {
    /// The area and the distances of the chart.
    let plot: ChartPlot
    let html: String

    /// `nil` without elevations.
    init?(journey: ExportJourney, wording: JourneyWording) {
        guard journey.kind != .places, let profile = JourneyProfile(journey) else { return nil }
        let units = ScaleUnits(wording.units)
        let chart = Chart.profile(parts: profile.drawn, length: profile.length, units: units)
        plot = chart.plot(size: PageSettings.profile)
        var scene = chart.scene(size: PageSettings.profile)
        scene.title = "Elevation of \(journey.title)"
        html = """
            <h2>Elevation</h2>
            <figure class="profile">\(SceneSVG.inline(scene))</figure>
            <p class="faint">Lowest \(wording.height(profile.lowest)), highest \(wording.height(profile.highest)), \
            average over the distance \(wording.height(profile.average)).</p>
            """
    }
}

/// The data of the page's script: numbers only.
struct PageWay {
    let json: String

    init(journey: ExportJourney, wording: JourneyWording, view: MapView?, plot: ChartPlot?) {
        var rows: [(distance: Double, point: GPXPoint)] = []
        var way = 0.0
        for segment in journey.lines.flatMap(\.segments) {
            var previous: Coordinate?
            for point in segment where point.coordinate.isValid {
                if let previous { way += previous.distance(to: point.coordinate) }
                previous = point.coordinate
                rows.append((way, point))
            }
        }
        let step = max(1, (rows.count + PageSettings.mostPoints - 1) / PageSettings.mostPoints)
        var shown = stride(from: 0, to: rows.count, by: step).map { rows[$0] }
        if step > 1, let last = rows.last { shown.append(last) }
        let places = shown.map { view?.point(for: $0.point.coordinate) }
        func list(_ numbers: [Double?], _ decimals: Int) -> String {
            "[" + numbers.map { Self.number($0, decimals) }.joined(separator: ",") + "]"
        }
        // Times of day in the report's time zone.
        let seconds = shown.map { row in
            row.point.time.map { time in
                time.seconds
                    + Double(wording.timeZone.offset(at: time))
            }
        }
        let metric = wording.units == .metric
        let units =
            metric
            ? "{\"distance\":0.001,\"distanceName\":\"km\",\"height\":1,\"heightName\":\"m\"}"
            : "{\"distance\":0.000621371192,\"distanceName\":\"mi\",\"height\":3.280839895,\"heightName\":\"ft\"}"
        let area = plot.map { plot in
            let numbers = [
                ("left", plot.frame.x), ("right", plot.frame.maxX), ("top", plot.frame.y),
                ("bottom", plot.frame.maxY), ("from", plot.x.lowerBound), ("to", plot.x.upperBound),
            ]
            return "{" + numbers.map { "\"\($0)\":\(Self.number($1, 2))" }.joined(separator: ",") + "}"
        }
        json = """
            {"units":\(units),"plot":\(area ?? "null"),"distance":\(list(shown.map(\.distance), 1)),\
            "elevation":\(list(shown.map(\.point.coordinate.altitude), 1)),"time":\(list(seconds, 0)),\
            "heartRate":\(list(shown.map(\.point.heartRate), 0)),"x":\(list(places.map { $0?.x }, 1)),\
            "y":\(list(places.map { $0?.y }, 1))}
            """
    }

    private static func number(_ value: Double?, _ decimals: Int) -> String {
        guard let value, value.isFinite else { return "null" }
        return DecimalText.fixed(value, decimals: decimals)
    }
}

/// The photos of a page as embedded data: upright, scaled for the page, without metadata.
struct PagePhotos {
    private(set) var html = ""
    private(set) var count = 0
    private(set) var warnings: [String] = []

    init(journey: ExportJourney, wording: JourneyWording, check: @escaping () throws -> Void) throws {
        let usable = try PhotoPages(journey: journey, wording: wording, check: check).usable(&warnings)
        guard !usable.isEmpty else { return }
        count = usable.count
        let figures = usable.map { photo in
            let time = photo.place?.point.time.map { ", " + wording.time($0, from: journey.start) } ?? ""
            let note = photo.place?.point.description.map { "<br>" + Markup.html($0) } ?? ""
            let title = Markup.html(photo.title)
            return """
                <figure><img src="data:image/jpeg;base64,\(Data(photo.bytes).base64EncodedString())" \
                width="\(Int(photo.width))" height="\(Int(photo.height))" alt="\(title)" loading="lazy">
                <figcaption>\(title)\(Markup.html(time))\(note)</figcaption></figure>
                """
        }
        html = "<h2>Photos</h2>\n<div class=\"photos\">\n\(figures.joined(separator: "\n"))\n</div>"
    }
}
