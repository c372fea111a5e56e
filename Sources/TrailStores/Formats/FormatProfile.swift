import CivilTime
import GRDB

/// What a format is to one of its readers: the names of columns in its version, and what its reader drops.
///
/// A profile is data. What is not known of an app is not claimed: a rule that nobody has seen is `.either`.
public struct FormatProfile: Sendable {
    /// An app that reads and writes the stores.
    public enum Reader: String, Sendable, CaseIterable {
        /// The iPhone app and its watch app.
        case ios
        /// The Android port, which keeps its tables through Room.
        case android
    }

    /// Which fractions of a second a reader takes in a date.
    public enum Fraction: Sendable {
        /// It takes only dates with one.
        case required
        /// It takes only dates without one.
        case forbidden
        /// It takes both.
        case either
    }

    /// A version of a table, recognised by the columns it added.
    public struct Version: Sendable {
        /// What people call it.
        public let name: String
        /// The columns it has beyond the version before.
        public let added: [String]
    }

    /// Whose profile it is.
    public let reader: Reader
    /// What it is called in a sentence.
    public let name: String
    /// The dates of waypoints.
    public let waypointDates: Fraction
    /// The dates of hikes.
    public let hikeDates: Fraction
    /// The dates of planned routes.
    public let routeDates: Fraction
    /// The framings of a track that it inflates.
    public let framings: Set<TrackBlob.Framing>
    /// Columns by the name of the format, where this app calls them otherwise.
    let renamed: [String: String]
    /// The versions of each table, the oldest first; an app whose versions are not known has none.
    let versions: [String: [Version]]

    /// All profiles.
    public static let all = [ios, android]

    /// The profile of a reader.
    public static func of(_ reader: Reader) -> FormatProfile { reader == .ios ? ios : android }

    /// The iPhone app. It parses dates of its databases with fractional seconds, dates of JSON without; Apple's framework
    /// inflates raw DEFLATE only, and a blob that does not inflate is read as records.
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

    /// The Android port. Java's `Instant.parse` takes both kinds of date; its `Inflater` expects the header of zlib.
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

    /// What this app calls a column of the format.
    package func column(_ name: String) -> String { renamed[name] ?? name }

    /// The app that wrote a database, by what only one of them has; `nil` where nothing tells.
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

    /// The name that a column of the format has in a table with these columns; `nil` where it has none.
    package static func stored(_ column: String, in present: Set<String>) -> String? {
        if present.contains(column) { return column }
        return all.lazy.compactMap { $0.renamed[column] }.first(where: present.contains)
    }

    /// The columns of the format that a table has, under whatever name.
    package static func known(in present: Set<String>) -> Set<String> {
        let others = all.flatMap { profile in
            profile.renamed.compactMap { present.contains($0.value) ? $0.key : nil }
        }
        return present.union(others)
    }

    /// What the version of a table is called; `nil` where its columns are those of none.
    package static func version(of table: String, columns: Set<String>) -> String? {
        let versions = of(writer(columns)).versions[table] ?? []
        var found: String?
        for version in versions {
            guard columns.isSuperset(of: version.added) else { break }
            found = version.name
        }
        return found
    }

    /// A column in a list of those to read, under the name of the format; NULL where the table lacks it.
    static func selected(_ column: String, in present: Set<String>) -> String {
        guard let stored = stored(column, in: present) else { return "NULL AS \(column)" }
        return stored == column ? column : "\(stored) AS \(column)"
    }
}

extension FormatProfile.Fraction {
    /// The same for a text in UTF-8 of which it is known whether it is a date.
    package func takes(utf8 text: UnsafeBufferPointer<UInt8>, isDate: Bool) -> Bool {
        guard isDate else { return false }
        let hasFraction = text.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
        return switch self {
        case .required: hasFraction
        case .forbidden: !hasFraction
        case .either: true
        }
    }

    /// Whether a reader with this rule takes a date.
    package func takes(_ date: String) -> Bool {
        var date = date
        return date.withUTF8 { takes(utf8: $0, isDate: ISO8601.timestamp(utf8: $0) != nil) }
    }
}
