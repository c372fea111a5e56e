import CivilTime
import Foundation
import Geodesy

/// A recorded hike, without its track.
public struct Hike: Sendable, Hashable {
    /// Identifies the hike in all stores.
    public var id: UUID
    /// Its name.
    public var name: String
    /// Its start.
    public var start: Coordinate
    /// Its end.
    public var end: Coordinate
    /// Start time.
    public var startTime: Timestamp
    /// End time.
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
    /// Mean of the recorded heart rates in beats per minute.
    public var averageHeartRate: Double?
    /// Highest recorded heart rate in beats per minute.
    public var maximumHeartRate: Double?
    /// Energy in kilocalories, as estimated by the app.
    public var calories: Double?
    /// The user's comment.
    public var comment: String
    /// The map region of the hike.
    public var regionID: String?
    /// Time of the last change; `nil` if unknown.
    public var modifiedAt: Timestamp?
    /// Its name in the cloud.
    public var cloudRecordID: String?
    /// Whether climb and descent are known; the app's row has 0 if not.
    public var isClimbKnown = true
    /// Whether times were recorded; the app's row has the import time if not.
    public var areTimesKnown = true

    /// The first eight digits of the identifier in lower case, as a short name.
    public var shortID: String { String(id.uuidString.prefix(8)).lowercased() }

    /// A hike from its statistics. A track without times starts and ends at `now`.
    public init(id: UUID, name: String, statistics: HikeStatistics, now: Timestamp) {
        self.id = id
        self.name = name
        // The row has no column for the altitudes of the ends.
        start = statistics.start.withoutAltitude
        end = statistics.end.withoutAltitude
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
        isClimbKnown = statistics.knowsClimb
        areTimesKnown = statistics.startTime != nil
    }

    /// A hike with the figures and the comment of another one.
    public init(id: UUID, name: String, like other: Hike) {
        self = other
        self.id = id
        self.name = name
        cloudRecordID = nil
    }

    /// The hike with the figures of other statistics; identifier, name and comment stay.
    public func measured(_ statistics: HikeStatistics) -> Hike {
        var other = Hike(id: id, name: name, statistics: statistics, now: startTime)
        other.calories = calories
        other.comment = comment
        other.regionID = regionID
        other.modifiedAt = modifiedAt
        other.cloudRecordID = cloudRecordID
        return other
    }

    /// A hike of which only the ends are known.
    init(id: UUID, name: String, start: Coordinate, end: Coordinate, startTime: Timestamp, endTime: Timestamp)
    {
        self.id = id
        self.name = name
        self.start = start
        self.end = end
        self.startTime = startTime
        self.endTime = endTime
        distance = 0
        gain = 0
        loss = 0
        walkingTime = 0
        restingTime = 0
        comment = ""
    }
}

extension Hike {
    /// Its name, or its short identifier if it has none.
    public var displayName: String { name.isEmpty ? shortID : name }
}
