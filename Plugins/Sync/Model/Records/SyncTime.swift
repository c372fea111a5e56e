import CivilTime

/// Moments in fields.
enum SyncTime {
    /// The milliseconds since 1970 of an ISO 8601 text; `nil` if it is invalid.
    static func milliseconds(_ text: String) -> Int64? { ISO8601.timestamp(text)?.milliseconds }
}
