import CivilTime
import Foundation
import Geodesy

/// When a journey begins, by the clock at its start.
struct SettingOut: Sendable {
    let moment: Timestamp
    let zone: TimeZone
    /// Whether that clock differs from the session's.
    let isElsewhere: Bool

    /// A departure by the clock at a coordinate, else by that of the session, `own`.
    init(_ moment: Timestamp, at coordinate: Coordinate, own: TimeZone) {
        let zone = LocalMoment.zone(at: coordinate, moment) ?? own
        self.init(
            moment: moment, zone: zone,
            isElsewhere: LocalMoment.utcOffset(moment, in: zone) != LocalMoment.utcOffset(moment, in: own))
    }

    private init(moment: Timestamp, zone: TimeZone, isElsewhere: Bool) {
        (self.moment, self.zone, self.isElsewhere) = (moment, zone, isElsewhere)
    }

    /// The sun at a coordinate on the day of the departure.
    func sun(at coordinate: Coordinate) -> SunTimes {
        SunTimes(at: coordinate, utcOffset: LocalMoment.utcOffset(moment, in: zone))
    }

    /// The local time after some seconds, with the sun of the place of travel.
    func local(after seconds: Double, sun: SunTimes?) -> LocalMoment {
        var local = LocalMoment(moment.advanced(bySeconds: seconds), in: zone)
        local.sun = sun
        return local
    }

    /// The same time of day some days later, also where the clock changes in between.
    func local(afterDays days: Int, sun: SunTimes?) -> LocalMoment {
        let civil = moment.civil(in: zone)
        let date = civil.date.advanced(by: days)
        var local = LocalMoment(
            month: date.month, day: date.day, weekday: date.isoWeekday, minute: civil.minutesOfDay,
            year: date.year)
        local.sun = sun
        return local
    }

    /// Hours and minutes after some seconds, such as `20:09`.
    func clock(after seconds: Double) -> String {
        let minutes = moment.advanced(bySeconds: seconds).civil(in: zone).minutesOfDay
        return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }
}
