/// The totals that a device counted itself, which differ from those of the points: it measures more often than it writes.
public struct DeviceTotals: Sendable, Hashable, Codable {
    /// Metres climbed.
    public var ascent: Double?
    /// Metres descended.
    public var descent: Double?
    /// Metres of way.
    public var distance: Double?
    /// Seconds with the timer running.
    public var timer: Double?
    /// Seconds from start to end.
    public var elapsed: Double?
    /// Kilocalories.
    public var calories: Double?
    /// Mean heart rate in beats per minute.
    public var averageHeartRate: Double?
    /// Maximum heart rate in beats per minute.
    public var maximumHeartRate: Double?

    /// No totals.
    public init() {}

    /// The totals that laps add up to, where all of them have a figure; `nil` if they have none.
    init?(laps: [TrackLap]) {
        guard !laps.isEmpty else { return nil }
        func sum(_ value: (TrackLap) -> Double?) -> Double? {
            let values = laps.compactMap(value)
            return values.count == laps.count ? values.reduce(0, +) : nil
        }
        distance = sum(\.distance)
        timer = sum(\.seconds)
        elapsed = sum(\.elapsed)
        calories = sum(\.calories)
        maximumHeartRate = laps.compactMap(\.maximumHeartRate).max()
        if self == DeviceTotals() { return nil }
    }
}
