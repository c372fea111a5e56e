import CivilTime
import GRDB

/// A format as one of its readers uses it: its column names, and the rows that the reader drops. A profile is
/// data. Unknown properties of an app are not assumed: an unverified rule is `.either`.
public struct FormatProfile: Sendable {
    /// An app that reads and writes the stores.
    public enum Reader: String, Sendable, CaseIterable {
        /// The iPhone app and its watch app.
        case ios
        /// The Android port, which manages its tables with Room.
        case android
    }

    /// The fractions of a second that a reader accepts in a date.
    public enum Fraction: Sendable {
        /// Only dates with a fraction.
        case required
        /// Only dates without a fraction.
        case forbidden
        /// Both.
        case either
    }

    /// A version of a table, recognised by the columns it added.
    public struct Version: Sendable {
        /// The name of the version.
        public let name: String
        /// The columns added since the previous version.
        public let added: [String]
    }

    /// The app.
    public let reader: Reader
    /// The name of the app in a sentence.
    public let name: String
    /// The dates of waypoints.
    public let waypointDates: Fraction
    /// The dates of hikes.
    public let hikeDates: Fraction
    /// The dates of planned routes.
    public let routeDates: Fraction
    /// The formats of a track that it inflates.
    public let framings: Set<TrackBlob.Framing>
    /// Columns with another name in this app, by the format's name.
    let renamed: [String: String]
    /// The versions of each table, the oldest first; empty if unknown.
    let versions: [String: [Version]]

    /// All profiles.
    public static let all = [ios, android]

    /// The profile of a reader.
    public static func of(_ reader: Reader) -> FormatProfile { reader == .ios ? ios : android }

    /// The iPhone app. It parses database dates with fractional seconds, JSON dates without; Apple's
    /// framework inflates raw DEFLATE only, and a blob that does not inflate is read as records.
    static let ios = FormatProfile(
        reader: .ios, name: "the iOS app", waypointDates: .required, hikeDates: .required,
        routeDates: .forbidden,
        framings: [.raw, .records], renamed: [:],
        versions: [
            "waypoints": [
                Version(name: "iOS 1", added: ["id", "latitude", "longitude", "timestamp"]),
                Version(name: "iOS 2, with sync", added: ["modified_at", "cloudkit_record_id"]),
            ],
            "saved_routes": [
                Version(name: "iOS 1", added: ["id", "start_time", "track_data"]),
                Version(name: "iOS 2, with sync", added: ["modified_at", "cloudkit_record_id"]),
            ],
        ])

    /// The Android port. Java's `Instant.parse` accepts both kinds of date; its `Inflater` expects a zlib
    /// header.
    static let android = FormatProfile(
        reader: .android, name: "the Android app", waypointDates: .either, hikeDates: .either,
        routeDates: .either,
        framings: [.zlib],
        renamed: [
            "photo_data": "photo", "photo_thumbnail": "thumbnail", "avg_heart_rate": "average_heart_rate",
        ],
        versions: [
            "waypoints": [Version(name: "Android", added: ["photo", "thumbnail"])],
            "saved_routes": [Version(name: "Android", added: ["average_heart_rate"])],
        ])

    /// The app's name of a column of the format.
    package func column(_ name: String) -> String { renamed[name] ?? name }

    /// The app that wrote a database, by columns that only one app has; `nil` if unknown.
    package static func writer(_ db: Database) throws -> Reader? {
        if try db.tableExists("room_master_table") { return .android }
        for table in ["waypoints", "saved_routes"] where try db.tableExists(table) {
            return writer(Set(try db.columns(in: table).map(\.name)))
        }
        return nil
    }

    private static func writer(_ columns: Set<String>) -> Reader {
        android.renamed.contains { columns.contains($0.value) && !columns.contains($0.key) } ? .android : .ios
    }

    /// The name of a format's column in a table with these columns; `nil` if missing.
    package static func stored(_ column: String, in present: Set<String>) -> String? {
        if present.contains(column) { return column }
        return all.lazy.compactMap { $0.renamed[column] }.first(where: present.contains)
    }

    /// The format's columns in a table, under any name.
    package static func known(in present: Set<String>) -> Set<String> {
        let others = all.flatMap { profile in
            profile.renamed.compactMap { present.contains($0.value) ? $0.key : nil }
        }
        return present.union(others)
    }

    /// The version of a table; `nil` if no version has these columns.
    package static func version(of table: String, columns: Set<String>) -> String? {
        let versions = of(writer(columns)).versions[table] ?? []
        var found: String?
        for version in versions {
            guard columns.isSuperset(of: version.added) else { break }
            found = version.name
        }
        return found
    }

    /// A column for a SELECT list, under the format's name; NULL if the table lacks it.
    static func selected(_ column: String, in present: Set<String>) -> String {
        guard let stored = stored(column, in: present) else { return "NULL AS \(column)" }
        return stored == column ? column : "\(stored) AS \(column)"
    }
}

extension FormatProfile {
    /// Why a reader drops a date: the words follow the date in a sentence.
    package enum DateRefusal: String, Sendable {
        case noDate = "which is not an ISO 8601 date"
        case form = "which is not of the form 2026-02-06T08:15:30.123Z"
        case comma = "with a comma before the fraction"
        case noZone = "without a time zone"
        case noFraction = "without a fraction of a second"
        case fraction = "with a fraction of a second"
    }
}

extension FormatProfile.Fraction {
    /// Why a reader with this rule drops a date; `nil` if it accepts it. Both apps parse the internet profile of ISO 8601
    /// (RFC 3339): with a full stop before the fraction, and with a time zone.
    package func refusal(
        utf8 text: UnsafeBufferPointer<UInt8>, isDate: Bool
    ) -> FormatProfile.DateRefusal? {
        guard isDate else { return .noDate }
        var reader = InternetTime(text)
        guard reader.readsSeconds() else { return .form }
        if reader.next == UInt8(ascii: ",") { return .comma }
        let hasFraction = reader.readsFraction()
        guard reader.readsZone() else {
            return reader.next == nil ? .noZone : .form
        }
        return switch self {
        case .required where !hasFraction: .noFraction
        case .forbidden where hasFraction: .fraction
        case .required, .forbidden, .either: nil
        }
    }

    /// The same for a text.
    package func refusal(_ date: String) -> FormatProfile.DateRefusal? {
        var date = date
        return date.withUTF8 { refusal(utf8: $0, isDate: ISO8601.timestamp(utf8: $0) != nil) }
    }
}

/// Reads the parts of a time as RFC 3339 has them.
private struct InternetTime {
    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The byte at the position; `nil` at the end.
    var next: UInt8? { index < text.count ? text[index] : nil }

    /// Date, T and time to the second. Letters in lower case are accepted: it is not known that an app refuses them.
    mutating func readsSeconds() -> Bool { reads("dddd-dd-ddTdd:dd:dd") }

    mutating func readsFraction() -> Bool {
        guard next == UInt8(ascii: "."), index + 1 < text.count, Self.isDigit(text[index + 1]) else {
            return false
        }
        index += 1
        while let byte = next, Self.isDigit(byte) { index += 1 }
        return true
    }

    /// Z or an offset, up to the end.
    mutating func readsZone() -> Bool {
        let start = index
        for pattern in ["Z", "+dd:dd", "+dddd", "+dd"] {
            index = start
            if reads(pattern), next == nil { return true }
        }
        index = start
        return false
    }

    private mutating func reads(_ pattern: String) -> Bool {
        for mark in pattern.utf8 {
            guard let byte = next else { return false }
            let isFitting =
                switch mark {
                case UInt8(ascii: "d"): Self.isDigit(byte)
                case UInt8(ascii: "+"): byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
                case UInt8(ascii: "T"), UInt8(ascii: "Z"): byte & ~0x20 == mark
                default: byte == mark
                }
            guard isFitting else { return false }
            index += 1
        }
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
