import PluginKit

/// When accommodation or water is there, by the tags of the map.
///
/// Source: OpenStreetMap wiki, "Key:opening_hours", "Key:seasonal", "Key:intermittent", "Key:end_date".
struct PlaceHours: Sendable, Hashable {
    /// The keys that an import keeps.
    static let keys = ["opening_hours", "seasonal", "intermittent"] + LifeDates.keys
    /// Minutes between the times of a day that are tried.
    private static let step = 15

    private let tags: [String: String]

    /// `nil` where no tag says that the place is not always there.
    init?(_ value: (String) -> String?) {
        var tags: [String: String] = [:]
        for key in Self.keys {
            if let text = value(key), !text.isEmpty, text != "no", text != "24/7" { tags[key] = text }
        }
        guard !tags.isEmpty else { return nil }
        self.tags = tags
    }

    /// The tags as `seasonal=summer`; the hours alone.
    var text: String {
        Self.keys.compactMap { key in
            tags[key].map { key == "opening_hours" ? $0 : "\(key)=\($0)" }
        }.joined(separator: "; ")
    }

    /// Lines of `key=value` for the database.
    var stored: String { TagText.text(tags.map { (key: $0.key, value: $0.value) }) }

    init?(stored text: String) {
        let tags = TagText.tags(text)
        self.init { tags[$0] }
    }

    /// Open where the place is open at some time of a day, closed where it is closed all day. Hours of a reception or a kitchen
    /// are not asked for the minute.
    func state(on day: LocalMoment?) -> OpeningHours.State {
        let dates = LifeDates { tags[$0] }.state(on: day?.date)
        switch dates {
        case .notYet, .gone: return .closed
        case .there where tags.keys.allSatisfy(LifeDates.keys.contains): return .open
        case .there, .unknown: break
        }
        guard let day, let text = tags["opening_hours"], let hours = OpeningHours(text) else {
            return .unknown
        }
        var states: Set<OpeningHours.State> = []
        for minute in stride(from: 0, to: OpeningHours.Settings.dayMinutes, by: Self.step) {
            var moment = day
            moment.minute = minute
            states.insert(hours.state(at: moment))
        }
        guard states != [.closed] else { return .closed }
        return dates == .there && states.contains(.open) ? .open : .unknown
    }
}

/// The days of a route that lasts several, each from the departure on at the same time of day.
struct StageCalendar: Sendable {
    /// `nil` where the date of the first day is not known.
    let departure: SettingOut?
    let sun: SunTimes?

    /// The date of a day, from 1 on.
    func date(of day: Int) -> LocalMoment? {
        departure?.local(afterDays: day - 1, sun: sun)
    }

    /// Whether a place is certainly closed on a day.
    func isClosed(_ place: StageSplit.Lodging, on day: Int) -> Bool {
        place.hours?.state(on: date(of: day)) == .closed
    }

    /// What is to be known of the hours of the accommodation and of the water near a route that is split into days, each with
    /// its share of the route.
    func notes(
        _ stages: [StageSplit.Stage], huts: [(share: Double, lodging: StageSplit.Lodging)],
        water: [(share: Double, lodging: StageSplit.Lodging)]
    ) -> String? {
        let days = 1...max(1, stages.count)
        func list(_ places: [StageSplit.Lodging]) -> String {
            places.map { "\($0.name) (\($0.hours?.text ?? ""))" }.joined(separator: ", ")
        }
        let chosen = zip(days, stages).compactMap { day, stage in stage.lodging.map { (day, $0) } }
        guard departure != nil else {
            let timed = chosen.map(\.1).filter { $0.hours != nil }
            return timed.isEmpty
                ? nil : "not always open: \(list(timed)); --at DATE leaves out what is closed then"
        }
        func day(at share: Double) -> Int { (stages.firstIndex { share < $0.to } ?? stages.count - 1) + 1 }
        let closedHuts = huts.filter { hut in
            guard !chosen.contains(where: { $0.1 == hut.lodging }) else { return false }
            let day = day(at: hut.share)
            // Were it open on the day before, that day might have ended there.
            return isClosed(hut.lodging, on: day) || day > 1 && isClosed(hut.lodging, on: day - 1)
        }
        let shut = (closedHuts + water.filter { isClosed($0.lodging, on: day(at: $0.share)) }).map(\.lodging)
        let doubtful = chosen.filter { day, place in
            place.hours.map { $0.state(on: date(of: day)) == .unknown } ?? false
        }.map(\.1)
        return Rows.note([
            shut.isEmpty ? nil : "closed on these days: \(list(shut))",
            doubtful.isEmpty ? nil : "it is not known whether these are open: \(list(doubtful))",
        ])
    }
}
