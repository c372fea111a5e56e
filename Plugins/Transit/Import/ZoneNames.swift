import Foundation
import PluginKit

/// Names of time zones as feeds write them.
enum ZoneNames {
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
