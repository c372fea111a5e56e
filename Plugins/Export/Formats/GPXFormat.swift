import Formats

/// Journeys as GPX 1.1.
enum GPXFormat {
    /// The file. With `asRoutes` all lines are written as `rte`; otherwise recordings and plans as `trk`, and
    /// routes from a file as `rte`. `check` receives the number of points written, and cancels by throwing.
    static func bytes(_ journeys: [ExportJourney], asRoutes: Bool, check: (Int) throws -> Void) throws
        -> [UInt8]
    {
        try GPXWriter.bytes(document(journeys, asRoutes: asRoutes), check: check)
    }

    /// The document of journeys.
    static func document(_ journeys: [ExportJourney], asRoutes: Bool = false) -> GPXDocument {
        var document = GPXDocument()
        if journeys.count == 1 {
            let journey = journeys[0]
            document = journey.document
            document.notices = []
            document.name = journey.name
            document.description = journey.comment
            document.author = journey.author
            document.keywords = journey.keywords
        }
        document.time = journeys.compactMap { $0.documentTime ?? $0.start ?? $0.dated }.min()
        for journey in journeys {
            document.waypoints += journey.places.map(\.point)
            if asRoutes {
                document.routes += journey.lines.map { line in
                    var route = line
                    route.segments = [Array(line.segments.joined())]
                    return route
                }
            } else {
                document.tracks += journey.tracks
                document.routes += journey.routes
            }
        }
        return document
    }
}
