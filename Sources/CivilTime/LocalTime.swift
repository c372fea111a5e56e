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

    /// The instant of this time in a zone; `now` determines the current day.
    public func moment(now: Timestamp, in zone: TimeZone) -> Timestamp {
        switch self {
        case .now: now
        case .timeOfDay(let milliseconds):
            Self.moment(days: Self.today(now, zone), milliseconds: milliseconds, in: zone)
        case .relativeDay(let days, let milliseconds):
            Self.moment(days: Self.today(now, zone) + days, milliseconds: milliseconds, in: zone)
        case .weekday(let weekday, let milliseconds):
            Self.moment(
                days: Self.next(weekday, from: Self.today(now, zone)), milliseconds: milliseconds, in: zone)
        case .later(let milliseconds): now.advanced(bySeconds: Double(milliseconds) / 1000)
        case .dateTime(let days, let milliseconds):
            Self.moment(days: days, milliseconds: milliseconds, in: zone)
        }
    }

    /// The first day of the week's number from a day on.
    private static func next(_ weekday: Int, from day: Int) -> Int {
        day + (weekday - CivilDate(daysSinceEpoch: day).isoWeekday + 7) % 7
    }

    private static func today(_ now: Timestamp, _ zone: TimeZone) -> Int {
        now.civil(in: zone).date.daysSinceEpoch
    }

    /// The instant of a wall-clock time. A time skipped by a clock change uses the offset before the change;
    /// for a repeated time the first is used.
    private static func moment(days: Int, milliseconds: Int, in zone: TimeZone) -> Timestamp {
        let wall = Timestamp(milliseconds: Int64(days) * 86_400_000 + Int64(milliseconds))
        let before = zone.offset(at: wall.advanced(bySeconds: -86_400))
        let guess = wall.advanced(bySeconds: -Double(before))
        let offsetThere = zone.offset(at: guess)
        if offsetThere == before { return guess }
        let second = wall.advanced(bySeconds: -Double(offsetThere))
        return zone.offset(at: second) == offsetThere ? second : guess
    }
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
