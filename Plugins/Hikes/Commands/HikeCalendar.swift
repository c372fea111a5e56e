import CivilTime
import Foundation
import Pictures
import PluginKit
import TrailStores

/// `hike calendar`
struct HikeCalendar: CommandProvider {
    let library: ActiveStore<HikeStore>
    /// Pixels of a PNG per point.
    private static let pixelsPerPoint = 2.0

    var name: String { "hike calendar" }

    var command: Command {
        Command(
            name, "draw the days of a year by distance walked",
            details: """
                A heat map with a column per week and a row per weekday; darker days have a longer distance. A hike \
                belongs to the day on which it began, in the session's time zone; hikes without times are \
                counted separately. Data commands treat it as rows of days.
                """,
            .optional("year", .integer(1900...2200), "year; default: that of the last hike"),
            .option("out", .outputFile, "SVG, PNG or PDF file to write"),
            .flag("force", "overwrite an existing file"),
            output: .value("calendar"), effect: .reads,
            examples: [
                .init(
                    "its days", "hike calendar | select day", after: HikeExample.setup,
                    gives: "day\n2026-02-06")
            ],
            searchTerms: [
                "days i was out", "active days",
                "year overview", "how often", "heatmap", "heat map", "year", "days", "picture", "streak",
                "which days did i walk", "heat map of the year", "season", "last summer",
            ]
        ) { context, year, out, force in
            let zone = context.environment.timeZone
            let all = try library.store(context).all()
            let hikes = all.filter(\.areTimesKnown)
            let periods = HikePeriods(hikes, by: .day, zone: zone).periods
            guard let year = year ?? periods.last?.start?.year else {
                throw HikeErrors.noTimes("no hike has times", fix: "import FILE")
            }
            let map = CalendarHeatMap(
                year: year,
                days: periods.compactMap { period in
                    period.start.flatMap { day in
                        day.year == year ? (day, period.hikes.count, period.distance) : nil
                    }
                }, undated: all.count - hikes.count, units: context.environment.units)
            guard let out else { return .object(map) }
            try OutputFile.write(try Self.data(map.scene, out), to: out, force: force)
            return .text("calendar of \(year) written to \(out.lastPathComponent)")
        }
    }

    private static func data(_ scene: Scene, _ url: URL) throws -> Data {
        let kind = url.pathExtension.lowercased()
        if kind == "svg" { return Data(SceneSVG.render(scene).utf8) }
        guard kind == "png" || kind == "pdf" else {
            throw HikeErrors.picture(
                "\(url.lastPathComponent) has none of the extensions .svg, .png and .pdf",
                at: .parameter("out"),
                fix: "use \(url.deletingPathExtension().lastPathComponent).svg")
        }
        try NativeLibrary.cairo.require()
        do {
            return kind == "png"
                ? try ScenePNG.render(scene, scale: pixelsPerPoint)
                : try ScenePDF.render(scene, metadata: PDFMetadata(title: scene.title))
        } catch {
            throw HikeErrors.picture("\(error)", at: .parameter("out"))
        }
    }
}
