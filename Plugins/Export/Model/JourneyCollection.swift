import CivilTime

/// The journeys of a report, one or several.
struct JourneyCollection {
    let journeys: [ExportJourney]
    /// The name of a single journey, or else their number.
    let title: String
    /// The subject in the metadata of a document.
    let subject: String
    /// The earliest start and the latest end.
    let span: String?

    init(_ journeys: [ExportJourney], _ wording: JourneyWording) {
        self.journeys = journeys
        let kinds = Set(journeys.map(\.kind))
        if journeys.count == 1 {
            title = journeys[0].title
            subject =
                switch journeys[0].kind {
                case .recorded: "Report of a hike"
                case .planned: "Planned route"
                case .places: "Places"
                }
        } else {
            let what = kinds == [.recorded] ? "hikes" : kinds == [.planned] ? "routes" : "hikes and routes"
            title = "\(journeys.count) \(what)"
            subject = "Report of \(what)"
        }
        let start = journeys.compactMap(\.start).min()
        let end = journeys.compactMap(\.end).max()
        span = start.flatMap { start in end.map { wording.span(start, $0) } }
    }

    /// The date of a document about them: that of the last change.
    var dated: Timestamp? { journeys.compactMap(\.dated).max() }

    /// The sum of a fact over the journeys for which it is known, and the number of the others.
    func total(_ fact: (JourneyFacts) -> Double?) -> (sum: Double?, unknown: Int) {
        let known = journeys.compactMap { fact($0.facts) }
        return (known.isEmpty ? nil : known.reduce(0, +), journeys.count - known.count)
    }
}
