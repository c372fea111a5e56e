import CivilTime
import Foundation
import Geodesy

/// When the sun rises and sets at a place.
///
/// Method: the general solar position calculations of NOAA's Global Monitoring Division: within two minutes below the polar
/// circles.
package struct SunTimes: Sendable, Hashable {
    /// What the sun does, as `opening_hours` names it.
    enum Event: String, Sendable, Hashable, CaseIterable {
        case dawn, sunrise, sunset, dusk

        /// Degrees between the sun and the zenith: its upper edge on the horizon with refraction, or civil twilight.
        var zenith: Double {
            switch self {
            case .sunrise, .sunset: 90.833
            case .dawn, .dusk: 96
            }
        }

        var isMorning: Bool { self == .dawn || self == .sunrise }
    }

    private enum Settings {
        static let minutesPerDegree = 4.0
        static let noon = 720.0
        static let day = 1440
        static let daysOfYear = 365.0
    }

    let coordinate: Coordinate
    /// Minutes of local time ahead of UTC.
    let utcOffset: Int

    package init(at coordinate: Coordinate, utcOffset: Int) {
        self.coordinate = coordinate
        self.utcOffset = utcOffset
    }

    /// The local time of an event in minutes from midnight, 0..<1440; `nil` where the sun stays above or below all day.
    func minute(of event: Event, on day: CivilDate) -> Int? {
        guard let first = CivilDate(year: day.year, month: 1, day: 1) else { return nil }
        let angle = 2 * .pi / Settings.daysOfYear * Double(day.daysSinceEpoch - first.daysSinceEpoch)
        let equation =
            229.18
            * (0.000075 + 0.001868 * cos(angle) - 0.032077 * sin(angle) - 0.014615 * cos(2 * angle)
                - 0.040849 * sin(2 * angle))
        let declination =
            0.006918 - 0.399912 * cos(angle) + 0.070257 * sin(angle) - 0.006758 * cos(2 * angle)
            + 0.000907 * sin(2 * angle) - 0.002697 * cos(3 * angle) + 0.00148 * sin(3 * angle)
        let latitude = coordinate.latitude * .pi / 180
        let cosine =
            cos(event.zenith * .pi / 180) / (cos(latitude) * cos(declination))
            - tan(latitude) * tan(declination)
        guard abs(cosine) <= 1 else { return nil }
        let half = acos(cosine) * 180 / .pi * Settings.minutesPerDegree
        let noon =
            Settings.noon - Settings.minutesPerDegree * coordinate.longitude - equation + Double(utcOffset)
        let minute = Int((event.isMorning ? noon - half : noon + half).rounded())
        return ((minute % Settings.day) + Settings.day) % Settings.day
    }
}
