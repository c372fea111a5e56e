import CivilTime
import Formats
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
    /// Whether positions were recorded; the app's row has 0,0 if not, as of an activity indoors.
    public var isPlaceKnown = true
    /// The values of its row that are left out since they are impossible, in words; `nil` if none are.
    public var leftOut: String?

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
        leftOut = nil
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

    /// An activity without positions, as indoors, from its measurements and the totals of the device; `nil` if it has none.
    public init?(id: UUID, name: String, indoors line: GPXLine) {
        let times = line.unplaced.map(\.time)
        guard line.pointCount == 0, let earliest = times.min(), let latest = times.max() else { return nil }
        // The first record may come long after the start, as of a pool, where one is written per length.
        let laps = line.laps.compactMap { lap in
            lap.start.map { (start: $0, end: $0.advanced(bySeconds: lap.elapsed ?? lap.seconds ?? 0)) }
        }.filter { $0.start <= latest && $0.end >= earliest }
        let first = min(earliest, laps.map(\.start).min() ?? earliest)
        let last = max(latest, laps.map(\.end).max() ?? latest)
        let none = Coordinate(latitude: 0, longitude: 0)
        self.init(id: id, name: name, start: none, end: none, startTime: first, endTime: last)
        isPlaceKnown = false
        isClimbKnown = false
        let span = last.seconds(since: first)
        let samples = line.unplaced.map(CountedWay.sample)
        // The device counts from 0 at the start.
        let zero: [CountedWay.Sample] = first < earliest ? [(first, 0)] : []
        let moving = CountedWay(zero + samples).walkingTime() + max(0, last.seconds(since: latest))
        walkingTime = min(span, moving, max(0, line.totals?.timer ?? span))
        restingTime = span - walkingTime
        distance = line.totals?.distance ?? CountedWay.metres(line.unplaced, since: first)
        let rates = line.unplaced.compactMap(\.sensors.heartRate)
        averageHeartRate = RateMean.of([line.unplaced.map { ($0.time, $0.sensors.heartRate) }])
        maximumHeartRate = rates.max()
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
    /// Whether a row holds the same for both, to the byte; the name of its record in the cloud is no content, and a sync writes it.
    package func isStored(as other: Hike) -> Bool {
        var mine = self
        mine.cloudRecordID = other.cloudRecordID
        mine.leftOut = other.leftOut
        return mine == other && name.isStored(as: other.name) && comment.isStored(as: other.comment)
    }

    /// Whether its distance is known: of a recording without positions only the device counts it.
    public var isDistanceKnown: Bool { isPlaceKnown || distance > 0 }

    /// Its name, or its short identifier if it has none.
    public var displayName: String { name.isEmpty ? shortID : name }
}
