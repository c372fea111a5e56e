import CivilTime
import Foundation

/// When a journey begins, by the clock at its start.
struct SettingOut: Sendable {
    let moment: Timestamp
    let zone: TimeZone
    /// Whether that clock differs from the session's.
    let isElsewhere: Bool

    /// The local time after some seconds, with the sun of the place of travel.
    func local(after seconds: Double, sun: SunTimes?) -> LocalMoment {
        var local = LocalMoment(moment.advanced(bySeconds: seconds), in: zone)
        local.sun = sun
        return local
    }

    /// Hours and minutes after some seconds, such as `20:09`.
    func clock(after seconds: Double) -> String {
        let minutes = moment.advanced(bySeconds: seconds).civil(in: zone).minutesOfDay
        return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }
}
