import Foundation

/// A day and a time of day, as clocks show them somewhere.
public struct CivilDateTime: Sendable, Hashable {
    /// The day.
    public let date: CivilDate
    /// Milliseconds from midnight, 0…86,399,999.
    public let millisecondsOfDay: Int

    /// Whole minutes from midnight.
    public var minutesOfDay: Int { millisecondsOfDay / 60_000 }
}

extension Timestamp {
    /// The day and time by clocks that are that many seconds ahead of UTC.
    public func civil(offset: Int = 0) -> CivilDateTime {
        let day: Int64 = 86_400_000
        let (sum, overflow) = milliseconds.addingReportingOverflow(Int64(offset) * 1000)
        let local = overflow ? milliseconds : sum
        let rest = local % day
        return CivilDateTime(
            date: CivilDate(daysSinceEpoch: Int(local.flooredQuotient(by: day))),
            millisecondsOfDay: Int(rest < 0 ? rest + day : rest))
    }

    /// The day and time by the clocks of a zone.
    public func civil(in zone: TimeZone) -> CivilDateTime { civil(offset: zone.offset(at: self)) }
}

extension TimeZone {
    /// Seconds that the zone's clocks are ahead of UTC at an instant.
    public func offset(at moment: Timestamp) -> Int {
        secondsFromGMT(for: Date(timeIntervalSince1970: moment.seconds))
    }

    /// The name that people and commands use: that of the tz database, with `UTC` for what Foundation calls `GMT`.
    public var displayName: String { identifier == "GMT" ? "UTC" : identifier }
}
