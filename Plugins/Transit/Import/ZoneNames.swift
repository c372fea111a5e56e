import CivilTime
import Foundation
import PluginKit

/// Names of time zones as feeds write them.
enum ZoneNames {
    /// The name that a written one is but for its capitals and blanks; `nil` for any other.
    static func respelled(_ written: String) -> String? {
        let folded = written.lowercased().replacing(" ", with: "_")
        return TimeZone.knownTimeZoneIdentifiers.first { $0.lowercased() == folded }
    }

    /// `; Europe/Berlin?` for a name that is another one but for its case or its continent; empty if there is none.
    static func hint(_ written: String) -> String {
        if TimeZone(databaseName: written) == nil, TimeZone(identifier: written) != nil {
            return ", an abbreviation that several zones share; write a name such as Europe/London"
        }
        let folded = written.lowercased().replacing(" ", with: "_")
        let near = TimeZone.knownTimeZoneIdentifiers.first { name in
            let lowered = name.lowercased()
            return lowered == folded || lowered.hasSuffix("/" + folded)
        }
        return near.map { "; \($0)?" } ?? ""
    }

    /// Whether clocks of two zones show the same, as those of US/Eastern and America/New_York do: at the begin of each month of the
    /// years for which timetables are made.
    static func haveSameClocks(_ left: String, _ right: String) -> Bool {
        guard let left = TimeZone(databaseName: left), let right = TimeZone(databaseName: right) else {
            return false
        }
        return clockYears.allSatisfy { year in
            (1...12).allSatisfy { month in
                guard let day = CivilDate(year: year, month: month, day: 1) else { return true }
                let noon = Date(timeIntervalSince1970: Double(day.daysSinceEpoch) * 86_400 + 43_200)
                return left.secondsFromGMT(for: noon) == right.secondsFromGMT(for: noon)
            }
        }
    }

    /// Before the first there were no feeds.
    private static let clockYears = 2005...2037

    /// Whether it is one of the names of the tz database that feeds write for a zone with summer time, and that have none.
    static func isStandardTime(_ written: String) -> Bool { ["EST", "MST", "HST"].contains(written) }

    /// Whether it is an offset, such as `GMT+1`, which Foundation reads and the tz database does not have.
    static func isOffset(_ written: String) -> Bool {
        // These are names of the tz database.
        if ["GMT0", "GMT+0", "GMT-0"].contains(written) { return false }
        guard ["GMT", "UTC"].contains(where: written.uppercased().hasPrefix) else { return false }
        return written.dropFirst(3).first.map { $0 == "+" || $0 == "-" || $0.isNumber } ?? false
    }
}

/// An agency with a time zone that its feed's times do not have: all agencies of a feed must have one zone.
struct AgencyZone: Sendable {
    let agency: String
    let zone: String

    /// All on one line of the metadata each.
    static func text(_ all: [AgencyZone]) -> String {
        all.map { "\($0.zone) \($0.agency)" }.joined(separator: "\n")
    }

    static func all(_ text: String) -> [AgencyZone] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 1)
            return words.count == 2 ? AgencyZone(agency: String(words[1]), zone: String(words[0])) : nil
        }
    }
}
