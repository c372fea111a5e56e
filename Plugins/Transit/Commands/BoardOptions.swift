import CivilTime
import PluginKit

/// The options that say which extent of a stop's board is listed.
struct BoardOptions: Sendable {
    private let at: WrittenTime?
    private let limit: Int
    private let within: Double
    private let isAllDay: Bool

    /// Of a board of `what`: `departures` or `arrivals`.
    static func parameters(of what: String) -> Parameter<BoardOptions> {
        .group(
            .option("at", .localDate, "start of the search, by clocks at the stop; default: now"),
            .option(
                "limit", .integer(1...TransitSettings.mostDepartures),
                default: "\(TransitSettings.departureLimit)", "maximum number of rows"),
            .option(
                "within", .quantity(.duration, in: 1...366 * 86_400), default: "24h", "length of the search"),
            .flag("all-day", "all \(what) of the day of --at, from midnight to midnight"),
            make: BoardOptions.init)
    }

    private init(at: WrittenTime?, limit: Int, within: Double, isAllDay: Bool) {
        (self.at, self.limit, self.within, self.isAllDay) = (at, limit, within, isAllDay)
    }

    /// That no clock at a stop shows the time asked for, or that clocks show it twice.
    func note(_ place: StopBoard, _ context: Context) -> String? {
        isAllDay ? nil : ClockNotes.typed(at, context, in: place.zone)
    }

    /// The extent at a stop: from an instant, or the whole day of it.
    func window(
        _ place: StopBoard, _ feed: Feed, _ context: Context
    ) -> (moment: Double, within: Double, limit: Int) {
        let moment = feed.moment(at, context, in: place.zone).seconds
        guard isAllDay else { return (moment, within, limit) }
        let day = StopBoard.bounds(
            of: ServiceDay.date(of: Int(moment.rounded(.down)), in: place.zone), in: place.zone)
        return (Double(day.lowerBound), Double(day.count), TransitSettings.mostDepartures)
    }
}
