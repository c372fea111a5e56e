import CivilTime
import Foundation
import Pictures
import PluginKit

/// Journeys as a printed report on A4: a list if there are several, then a section for each.
struct Report {
    let journeys: [ExportJourney]
    let wording: JourneyWording
    /// The background of a journey's map.
    let base: (MapView, ExportJourney) throws -> BaseLayer
    let check: () throws -> Void

    /// A finished report.
    struct Document {
        /// The PDF.
        var pdf: Data
        /// Number of pages.
        var pages: Int
        /// Warnings about omitted data.
        var warnings: [String]
    }

    /// Draws the report.
    func document() throws -> Document {
        try NativeLibrary.cairo.require()
        do {
            let collection = JourneyCollection(journeys, wording)
            var flow = PageFlow()
            var warnings: [String] = []
            if journeys.count > 1 {
                flow.begin(collection.title)
                try OverviewPage(collection: collection, wording: wording).add(to: &flow)
            }
            for journey in journeys {
                flow.begin(journey.title)
                var own = journey.warnings
                try ReportSection(
                    journey: journey, wording: wording, base: { try base($0, journey) }, check: check
                ).add(to: &flow, warnings: &own)
                warnings += journeys.count > 1 ? own.map { "\(journey.title): \($0)" } : own
            }
            try flow.finish()
            if let warning = try MissingGlyphs.warning(of: flow.pages) { warnings.append(warning) }
            try check()
            let metadata = PDFMetadata(
                title: collection.title, subject: collection.subject, creator: ReportSettings.creator,
                created: collection.dated.map { ISO8601.text($0, fraction: .never) })
            let pdf = try ScenePDF.render(pages: flow.pages, metadata: metadata)
            return Document(pdf: pdf, pages: flow.pages.count, warnings: warnings)
        } catch let error as PictureError {
            throw ExportErrors.drawing("\(error)")
        }
    }
}
