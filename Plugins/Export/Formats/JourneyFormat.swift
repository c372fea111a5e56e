import Formats
import Foundation
import PluginKit

/// The formats of `export folder`, which writes a file for each journey.
enum JourneyFormat: String, CaseIterable {
    case fit, geojson, gpx, html, kml, markdown, pdf, tcx

    /// The file extension.
    var fileExtension: String { self == .markdown ? "md" : rawValue }

    /// A journey as a file, and the losses in the format.
    func file(
        _ journey: ExportJourney, wording: Wording, context: Context
    ) throws -> (bytes: [UInt8], warnings: [String]) {
        let check = context.checkCancelled
        func base() -> BaseLayers { BaseLayers(tiles: nil, region: journey.regionID, context: context) }
        switch self {
        case .fit:
            let line = try ExportOptions.onlyTimed(journey)
            return (try FITWriter.bytes(line) { _ in try check() }, ExportOptions.notices([journey], .fit))
        case .tcx:
            let lines = try ExportOptions.timed(ExportOptions.placed([journey]))
            return (try TCXWriter.bytes(lines) { _ in try check() }, ExportOptions.notices([journey], .tcx))
        case .gpx:
            let journeys = try ExportOptions.placed([journey])
            let bytes = try GPXFormat.bytes(journeys, asRoutes: false) { _ in try check() }
            return (bytes, ExportOptions.notices(journeys, .gpx))
        case .geojson:
            let document = MapDocument(try ExportOptions.placed([journey]))
            return (
                try GeoJSONWriter.bytes(document, check: check), ExportOptions.notices([journey], .geojson)
            )
        case .kml:
            let document = MapDocument(try ExportOptions.placed([journey]))
            return (try KMLWriter.bytes(document, check: check), ExportOptions.notices([journey], .kml))
        case .markdown: return (Array(MarkdownFormat(wording: wording).text(journey).utf8), journey.warnings)
        case .pdf:
            let report = Report(
                journeys: [journey], wording: wording, base: { view, _ in try base().layer(for: view) },
                check: check)
            let document = try report.document()
            return ([UInt8](document.pdf), document.warnings)
        case .html:
            let report = HTMLReport(journey: journey, wording: wording, base: base().layer, check: check)
            let document = try report.document()
            return (Array(document.html.utf8), document.warnings)
        }
    }
}
