import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// Checks the rules of `routes.db`.
struct HikeChecks: StoreChecking {
    let kind = StoreKind.hikes
    private static let table = "saved_routes"

    /// Bytes that a track may inflate to.
    var largestTrack = StoreSettings.largestTrack

    /// Looks at every hike and its track.
    func check(_ run: CheckRun) throws {
        try FormatFindings.check(run, kind, missing: HikeFindings.columns, older: HikeFindings.older)
        var seen: [UUID: Int64] = [:]
        try run.visit(Self.table, HikeRow.names + ["track_data"]) { row in
            let checked = CheckedHike(row: row) { kind, what in
                run.add(kind, table: Self.table, row: row.number, id: row.text("id"), what)
            }
            checked.identifier(&seen)
            checked.texts()
            checked.ends()
            checked.figures()
            let times = checked.times()
            if let points = checked.track(largest: largestTrack) { checked.compare(with: points, times) }
        }
    }
}

/// One hike under check.
private struct CheckedHike {
    let row: CheckedRow
    let add: (FindingKind, String) -> Void

    typealias Times = (start: Timestamp?, end: Timestamp?)

    func identifier(_ seen: inout [UUID: Int64]) {
        guard row.has("id") else { return }
        guard let id = row.text("id").flatMap(UUID.init(uuidString:)) else {
            return add(HikeFindings.identifier, "id is \(row["id"].shown)")
        }
        if let first = seen[id] {
            add(HikeFindings.twice, "the same id as row \(first)")
        } else {
            seen[id] = row.number ?? 0
        }
    }

    func texts() {
        if row.has("name"), row.text("name")?.isEmpty ?? true {
            add(HikeFindings.name, "name is \(row["name"].shown)")
        }
        if row.has("comment"), row.text("comment") == nil {
            add(HikeFindings.name, "comment is \(row["comment"].shown)")
        }
    }

    func ends() {
        for end in ["start", "end"] {
            for (suffix, limit) in [("_latitude", 90.0), ("_longitude", 180.0)] where row.has(end + suffix) {
                guard let number = row.number(end + suffix), abs(number) <= limit else {
                    add(HikeFindings.place, "\(end + suffix) is \(row[end + suffix].shown)")
                    continue
                }
            }
        }
    }

    func figures() {
        let sums = ["total_distance", "elevation_gain", "elevation_loss", "walking_time", "resting_time"]
        for column in sums where row.has(column) && !(row.number(column).map(isSum) ?? false) {
            add(HikeFindings.number, "\(column) is \(row[column].shown)")
        }
        if !row["estimated_calories"].isNull, !(row.number("estimated_calories").map(isSum) ?? false) {
            add(HikeFindings.number, "estimated_calories is \(row["estimated_calories"].shown)")
        }
        for column in ["avg_heart_rate", "max_heart_rate"] where !row[column].isNull {
            guard let rate = row.number(column), CheckSettings.heartRates.contains(rate) else {
                add(HikeFindings.number, "\(column) is \(row[column].shown)")
                continue
            }
        }
    }

    private func isSum(_ number: Double) -> Bool { number.isFinite && number >= 0 }

    func times() -> Times {
        let moments = ["start_time", "end_time"].map { column -> Timestamp? in
            if !row.has(column) { return nil }
            let moment = row.text(column).flatMap { ISO8601.timestamp($0) }
            if moment == nil { add(HikeFindings.time, "\(column) is \(row[column].shown)") }
            return moment
        }
        if !row["modified_at"].isNull, row.text("modified_at").flatMap({ ISO8601.timestamp($0) }) == nil {
            add(HikeFindings.time, "modified_at is \(row["modified_at"].shown)")
        }
        if let start = moments[0], let end = moments[1], end < start {
            add(HikeFindings.order, "ends \(Literal.duration(start.seconds(since: end))) before it starts")
        }
        return (moments[0], moments[1])
    }

    // MARK: Track

    /// The points, when they can be compared with the figures.
    func track(largest: Int) -> [TrackPoint]? {
        guard row.has("track_data") else { return nil }
        guard case .blob(let blob) = row["track_data"] else {
            add(HikeFindings.track, "track_data is \(row["track_data"].shown)")
            return nil
        }
        do {
            let points = try TrackCodec.decode(
                blob, source: "track_data", limit: largest, checksPlaces: false)
            if points.isEmpty {
                add(HikeFindings.empty, "no points in \(blob.count) bytes")
                return nil
            }
            return isSound(points) ? points : nil
        } catch {
            add(HikeFindings.track, error.message)
            return nil
        }
    }

    private func isSound(_ points: [TrackPoint]) -> Bool {
        if let bad = points.firstIndex(where: { !$0.coordinate.isValid || $0.time == nil }) {
            let place = points[bad].coordinate
            let what = place.isValid ? "its time is not a number" : "\(place.latitude),\(place.longitude)"
            add(HikeFindings.point, "point \(bad + 1) of \(points.count): \(what)")
            return false
        }
        let times = points.compactMap(\.time)
        if let step = zip(times, times.dropFirst()).enumerated().first(where: { $1.1 < $1.0 }) {
            let back = Literal.duration(step.element.0.seconds(since: step.element.1))
            add(HikeFindings.backwards, "point \(step.offset + 2) of \(points.count) is \(back) earlier")
        }
        return true
    }

    // MARK: Figures against the track

    func compare(with recorded: [TrackPoint], _ times: Times) {
        // The format stores an unknown altitude as 0.
        let points = recorded.map { point in
            var point = point
            if point.coordinate.altitude == 0 { point.coordinate.altitude = nil }
            return point
        }
        guard let statistics = HikeStatistics(segments: [points]) else { return }
        compareEnds(statistics)
        compareTimes(statistics, times)
        compareDistance(points, statistics)
        compareClimb(points, statistics)
        compareDuration(times)
    }

    private func compareEnds(_ statistics: HikeStatistics) {
        for (end, place) in [("start", statistics.start), ("end", statistics.end)] {
            guard let latitude = row.number(end + "_latitude"), let longitude = row.number(end + "_longitude")
            else { continue }
            let recorded = Coordinate(latitude: latitude, longitude: longitude)
            let distance = recorded.distance(to: place)
            if recorded.isValid, distance > CheckSettings.endTolerance {
                add(HikeFindings.ends, "\(end) is \(metres(distance)) from the track's")
            }
        }
    }

    private func compareTimes(_ statistics: HikeStatistics, _ times: Times) {
        // A track without times has the same one in every record.
        guard let first = statistics.startTime, let last = statistics.endTime, first < last else { return }
        for (end, recorded, actual) in [("start_time", times.start, first), ("end_time", times.end, last)] {
            guard let difference = recorded?.seconds(since: actual) else { continue }
            if abs(difference) > CheckSettings.timeTolerance {
                let direction = difference > 0 ? "after" : "before"
                add(
                    HikeFindings.span,
                    "\(end) is \(Literal.duration(abs(difference))) \(direction) the track's")
            }
        }
    }

    private func compareDistance(_ points: [TrackPoint], _ statistics: HikeStatistics) {
        guard let recorded = row.number("total_distance"), isSum(recorded) else { return }
        let legs = zip(points, points.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
        let ordinary = legs.sorted()[safe: legs.count / 2] ?? 0
        let longest = max(CheckSettings.gapLength, CheckSettings.gapLegs * ordinary)
        let gaps = legs.filter { $0 > longest }.reduce(0, +)
        let most = statistics.distance
        let tolerance = CheckSettings.distanceTolerance + CheckSettings.distanceShare * most
        if recorded > most + tolerance || recorded < most - gaps - tolerance {
            add(HikeFindings.distance, "total_distance is \(metres(recorded)), the track's \(metres(most))")
        }
    }

    private func compareClimb(_ points: [TrackPoint], _ statistics: HikeStatistics) {
        guard points.contains(where: { $0.coordinate.altitude != nil }) else { return }
        for (column, actual) in [("elevation_gain", statistics.gain), ("elevation_loss", statistics.loss)] {
            guard let recorded = row.number(column), isSum(recorded) else { continue }
            let factor = CheckSettings.climbFactor
            if max(recorded, actual) > factor * min(recorded, actual) + CheckSettings.climbTolerance {
                add(HikeFindings.climb, "\(column) is \(metres(recorded)), the track's \(metres(actual))")
            }
        }
    }

    private func compareDuration(_ times: Times) {
        guard let start = times.start, let end = times.end, start < end,
            let walking = row.number("walking_time"), let resting = row.number("resting_time"),
            isSum(walking), isSum(resting)
        else { return }
        let whole = end.seconds(since: start)
        let tolerance = CheckSettings.durationTolerance + CheckSettings.durationShare * whole
        if abs(walking + resting - whole) > tolerance {
            let sum = Literal.duration((walking + resting).rounded())
            add(HikeFindings.duration, "\(sum) of \(Literal.duration(whole.rounded()))")
        }
    }

    private func metres(_ value: Double) -> String { Literal.quantity(.metres(value)) }
}

extension Array {
    /// The element at an index, if there is one.
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
