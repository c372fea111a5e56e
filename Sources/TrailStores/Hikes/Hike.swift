import CivilTime
import Foundation
import Geodesy

/// A recorded hike, without its track.
public struct Hike: Sendable, Hashable {
    /// Identifies it in every store.
    public var id: UUID
    /// Its name.
    public var name: String
    /// Where it began.
    public var start: Coordinate
    /// Where it ended.
    public var end: Coordinate
    /// When it began.
    public var startTime: Timestamp
    /// When it ended.
    public var endTime: Timestamp
    /// Metres walked.
    public var distance: Double
    /// Metres climbed.
    public var gain: Double
    /// Metres descended.
    public var loss: Double
    /// Seconds in motion.
    public var walkingTime: Double
    /// Seconds at rest.
    public var restingTime: Double
    /// Mean of the recorded heart rates, beats a minute.
    public var averageHeartRate: Double?
    /// Highest recorded heart rate, beats a minute.
    public var maximumHeartRate: Double?
    /// Kilocalories, as the app estimated them.
    public var calories: Double?
    /// The user's own words.
    public var comment: String
    /// The map region it was made in.
    public var regionID: String?
    /// When it was last changed; `nil` is unknown.
    public var modifiedAt: Timestamp?
    /// Its name in the cloud.
    public var cloudRecordID: String?

    /// The first eight digits of the identifier in lower case, enough to name it by.
    public var shortID: String { String(id.uuidString.prefix(8)).lowercased() }

    /// A hike from its statistics. A track without times starts and ends at `now`.
    public init(id: UUID, name: String, statistics: HikeStatistics, now: Timestamp) {
        self.id = id
        self.name = name
        start = statistics.start
        end = statistics.end
        startTime = statistics.startTime ?? now
        endTime = statistics.endTime ?? startTime
        distance = statistics.distance
        gain = statistics.gain
        loss = statistics.loss
        walkingTime = statistics.walkingTime
        restingTime = statistics.restingTime
        averageHeartRate = statistics.averageHeartRate
        maximumHeartRate = statistics.maximumHeartRate
        comment = ""
    }

    init(reading row: HikeRow) {
        id = row.id
        name = row.name
        start = row.start
        end = row.end
        startTime = row.startTime
        endTime = row.endTime
        distance = row.numbers[0]
        gain = row.numbers[1]
        loss = row.numbers[2]
        walkingTime = row.numbers[3]
        restingTime = row.numbers[4]
        averageHeartRate = row.optionals[0]
        maximumHeartRate = row.optionals[1]
        calories = row.optionals[2]
        comment = row.comment
        regionID = row.regionID
        modifiedAt = row.modifiedAt
        cloudRecordID = row.cloudRecordID
    }
}
