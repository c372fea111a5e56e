import Foundation

/// A wall-clock time as written, without a zone or without a day.
public enum LocalTime: Sendable, Hashable {
    /// Milliseconds of the current day.
    case timeOfDay(Int)
    /// Days since 1970 and milliseconds of that day.
    case dateTime(days: Int, milliseconds: Int)
    /// `today`, `tomorrow 22:00`, `yesterday`: days from the current one, and milliseconds of that day.
    case relativeDay(Int, milliseconds: Int)
    /// `friday 8am`: the next such day, today included; 1 is Monday (ISO 8601), and milliseconds of that day.
    case weekday(Int, milliseconds: Int)
    /// `in 2 hours`: milliseconds from now.
    case later(Int)
    /// `now`.
    case now

    /// A time that is written as a word.
    public init?(word: String) {
        switch word {
        case "now": self = .now
        case "today": self = .relativeDay(0, milliseconds: 0)
        case "tomorrow": self = .relativeDay(1, milliseconds: 0)
        case "yesterday": self = .relativeDay(-1, milliseconds: 0)
        default: return nil
        }
    }

    /// A time written as a word, as `08:15`, as ISO 8601 without an offset, or as people type it (`TypedTime`); `nil` for anything
    /// else.
    public init?(text: String) {
        if let word = LocalTime(word: text) {
            self = word
        } else if let time = ISO8601.timeOfDay(text) {
            self = .timeOfDay(time)
        } else if let parts = ISO8601.parts(text), parts.offsetSeconds == nil {
            self = .dateTime(days: parts.date.daysSinceEpoch, milliseconds: parts.millisecondsOfDay ?? 0)
        } else if let typed = TypedTime.read(text) {
            self = typed
        } else {
            return nil
        }
    }

    /// The instant of this time in a zone; `now` determines the current day. A time skipped by a clock change uses the offset before
    /// the change; for a repeated time the first is used: `clockChange` says so.
    public func moment(now: Timestamp, in zone: TimeZone) -> Timestamp {
        if case .later(let milliseconds) = self {
            return now.advanced(bySeconds: Double(milliseconds) / 1000)
        }
        return wall(now, zone).map { Self.moment(of: $0, in: zone) } ?? now
    }

    /// What a clock change makes of this time in a zone; `nil` for a time that clocks show once.
    public func clockChange(now: Timestamp, in zone: TimeZone) -> ClockChange? {
        guard let wall = wall(now, zone) else { return nil }
        let moment = Self.moment(of: wall, in: zone)
        if wall.milliseconds - moment.milliseconds != Int64(zone.offset(at: moment)) * 1000 {
            return .skipped
        }
        let after = zone.offset(at: wall.advanced(bySeconds: 86_400))
        let second = wall.advanced(bySeconds: -Double(after))
        return second > moment && zone.offset(at: second) == after ? .repeated(second: second) : nil
    }

    /// Its digits, as an instant of UTC; `nil` for a time that no clock shows.
    private func wall(_ now: Timestamp, _ zone: TimeZone) -> Timestamp? {
        func wall(_ days: Int, _ milliseconds: Int) -> Timestamp {
            Timestamp(milliseconds: Int64(days) * 86_400_000 + Int64(milliseconds))
        }
        switch self {
        case .now, .later: return nil
        case .timeOfDay(let milliseconds): return wall(Self.today(now, zone), milliseconds)
        case .relativeDay(let days, let milliseconds):
            return wall(Self.today(now, zone) + days, milliseconds)
        case .weekday(let weekday, let milliseconds):
            return wall(Self.next(weekday, from: Self.today(now, zone)), milliseconds)
        case .dateTime(let days, let milliseconds): return wall(days, milliseconds)
        }
    }

    /// The first day of the week's number from a day on.
    private static func next(_ weekday: Int, from day: Int) -> Int {
        day + (weekday - CivilDate(daysSinceEpoch: day).isoWeekday + 7) % 7
    }

    private static func today(_ now: Timestamp, _ zone: TimeZone) -> Int {
        now.civil(in: zone).date.daysSinceEpoch
    }

    /// The instant at which clocks show some digits.
    private static func moment(of wall: Timestamp, in zone: TimeZone) -> Timestamp {
        let before = zone.offset(at: wall.advanced(bySeconds: -86_400))
        let guess = wall.advanced(bySeconds: -Double(before))
        let offsetThere = zone.offset(at: guess)
        if offsetThere == before { return guess }
        let second = wall.advanced(bySeconds: -Double(offsetThere))
        return zone.offset(at: second) == offsetThere ? second : guess
    }
}

/// What a change of the clocks makes of a wall-clock time.
public enum ClockChange: Sendable, Hashable {
    /// No clock shows it.
    case skipped
    /// Clocks show it twice: a second time at this instant.
    case repeated(second: Timestamp)
}

/// A time as written: an instant, or a wall-clock time whose zone depends on the subject.
public enum WrittenTime: Sendable, Hashable {
    /// An instant: written with an offset, or computed.
    case moment(Timestamp)
    /// A wall-clock time.
    case local(LocalTime)

    /// The instant, in a zone if no offset was written.
    public func moment(now: Timestamp, in zone: TimeZone) -> Timestamp {
        switch self {
        case .moment(let moment): moment
        case .local(let local): local.moment(now: now, in: zone)
        }
    }
}
