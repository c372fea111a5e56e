/// Constants of the hike commands.
enum HikeSettings {
    /// Number of intervals between the times at which two recordings are compared.
    static let comparedMoments = 24
    /// Maximum metres between two recordings of the same walk by different devices.
    static let sameWalk = 100.0
    /// Share of the shorter recording's time, and of the compared times, that must agree.
    static let sameShare = 0.9
}
