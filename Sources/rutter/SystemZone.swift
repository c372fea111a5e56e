import Foundation
import PluginKit

/// The zone that TZ names, as the system's own programs read it: a name or a file of the tz database, or a fixed offset
/// by POSIX, whose sign is that of the hours to add to reach UTC (`UTC+2` is two hours behind).
struct SystemZone {
    let zone: TimeZone
    /// What to say if TZ is not read as it stands.
    let warning: String?

    /// The zone of `TZ`; that of the system without one.
    init(_ written: String?) {
        guard let written, !written.isEmpty else {
            self.init(zone: written == nil ? .current : .gmt)
            return
        }
        let name = Self.name(written)
        if let seconds = Self.fixedOffset(name), let zone = TimeZone(secondsFromGMT: seconds) {
            self.init(zone: zone)
        } else if Self.isName(name), let zone = TimeZone(databaseName: name) {
            self.init(zone: zone)
        } else if name == Self.localFile {
            self.init(zone: .current)
        } else {
            let what = Self.isRule(name) ? "a rule, which is not read" : "no time zone"
            self.init(
                zone: .gmt,
                warning:
                    "TZ=\(written) is \(what); times are in UTC. Set it to a name such as Europe/Zurich")
        }
    }

    private init(zone: TimeZone, warning: String? = nil) { (self.zone, self.warning) = (zone, warning) }

    private static let localFile = "/etc/localtime"

    /// Without the colon before a file, and without the folder of the database.
    private static func name(_ written: String) -> String {
        var name = written.hasPrefix(":") ? String(written.dropFirst()) : written
        if let folder = name.range(of: "/zoneinfo/") { name = String(name[folder.upperBound...]) }
        for copy in ["posix/", "right/"] where name.hasPrefix(copy) { name.removeFirst(copy.count) }
        return name
    }

    /// Foundation also reads `GMT-5` and `UTC+2`, with the sign of everyday notation.
    private static func isName(_ name: String) -> Bool {
        name.first?.isLetter == true
            && !name.contains(where: { $0.isWhitespace || $0 == "," || $0 == "<" || $0 == ":" })
            && (name.contains("/") || !name.contains(where: { $0 == "+" || $0 == "-" }))
    }

    /// Seconds east of Greenwich of a fixed offset such as `EST5`, `<+0330>-3:30` or `UTC+2`.
    static func fixedOffset(_ name: String) -> Int? {
        let form = /(?:<[A-Za-z0-9+-]+>|[A-Za-z]{3,})([+-]?)(\d{1,2})(?::(\d\d))?(?::(\d\d))?/
        guard let match = name.wholeMatch(of: form), let hours = Int(match.2), hours <= 24 else { return nil }
        let minutes = match.3.flatMap { Int($0) } ?? 0
        let seconds = match.4.flatMap { Int($0) } ?? 0
        guard minutes < 60, seconds < 60 else { return nil }
        let west = hours * 3600 + minutes * 60 + seconds
        return match.1 == "-" ? west : -west
    }

    /// Whether it is a rule with summer time, such as `CET-1CEST`.
    private static func isRule(_ name: String) -> Bool {
        name.prefixMatch(of: /(?:<[A-Za-z0-9+-]+>|[A-Za-z]{3,})[+-]?\d{1,2}[:\d]*[A-Za-z<]/) != nil
    }
}
