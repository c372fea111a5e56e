import CivilTime
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// The figures of a hike against those of its track.
extension CheckedHike {
    func compare(with recorded: [TrackPoint], _ times: Times, _ places: inout TrackPlaces) {
        // The format stores an unknown altitude as 0.
        let points = recorded.map { point in
            var point = point
            if point.coordinate.altitude == 0 { point.coordinate.altitude = nil }
            return point
        }
        guard let statistics = HikeStatistics(segments: [points]) else { return }
        compareEnds(statistics, &places)
        compareTimes(statistics, times)
        compareDistance(points, statistics)
        compareClimb(points, statistics)
        compareDuration(times)
    }

    private func compareEnds(_ statistics: HikeStatistics, _ places: inout TrackPlaces) {
        let (start, finish) = (column("start"), column("end"))
        if let start, let finish, let number = row.number {
            let swapped = [(start, statistics.start), (finish, statistics.end)].allSatisfy {
                recorded, actual in
                let turned = Coordinate(latitude: recorded.longitude, longitude: recorded.latitude)
                return turned.isValid && turned.distance(to: actual) <= CheckSettings.endTolerance
                    && recorded.distance(to: actual) > CheckSettings.endTolerance
            }
            if swapped {
                places.swaps.append(
                    .init(
                        row: number, id: row.text("id"), stored: start, track: statistics.start,
                        blob: swappedTrack))
                return
            }
            if start.distance(to: statistics.start) <= CheckSettings.endTolerance {
                places.agreed.append(start)
            }
        }
        for (end, actual) in [("start", statistics.start), ("end", statistics.end)] {
            guard let latitude = row.number(end + "_latitude"), let longitude = row.number(end + "_longitude")
            else { continue }
            let recorded = Coordinate(latitude: latitude, longitude: longitude)
            let distance = recorded.distance(to: actual)
            if recorded.isValid, distance > CheckSettings.endTolerance,
                !Plausibility.isNull(latitude, longitude)
            {
                let swapped = Coordinate(latitude: longitude, longitude: latitude)
                let isSwapped = swapped.isValid && swapped.distance(to: actual) <= CheckSettings.endTolerance
                // The other end confirms the track.
                let other = end == "start" ? (finish, statistics.end) : (start, statistics.start)
                let isConfirmed =
                    other.0.map { $0.distance(to: other.1) <= CheckSettings.endTolerance } ?? false
                add(
                    HikeFindings.ends,
                    "\(end) is \(metres(distance)) from the track's"
                        + (isSwapped ? ": latitude and longitude are swapped" : ""),
                    repair: isSwapped && isConfirmed
                        ? "\(end)_latitude = \(end)_longitude, \(end)_longitude = \(end)_latitude" : nil)
            }
        }
    }

    /// A valid end as the columns have it.
    private func column(_ end: String) -> Coordinate? {
        guard let latitude = row.number(end + "_latitude"), let longitude = row.number(end + "_longitude"),
            !Plausibility.isNull(latitude, longitude)
        else { return nil }
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid ? place : nil
    }

    /// The track with the latitude and longitude of each record exchanged; `nil` if it is in another app's format.
    private func swappedTrack() -> Data? {
        guard case .blob(let blob) = row["track_data"],
            // It was inflated for this check.
            let track = try? TrackBlob(blob, source: "track_data"),
            track.framing == .raw || track.framing == .records
        else { return nil }
        var bytes = track.bytes
        for start in stride(from: 0, to: bytes.count - TrackCodec.recordSize + 1, by: TrackCodec.recordSize) {
            for offset in start..<start + 4 { bytes.swapAt(offset, offset + 4) }
        }
        return track.framing == .raw ? RawDeflate.deflate(bytes) : Data(bytes)
    }

    private func compareTimes(_ statistics: HikeStatistics, _ times: Times) {
        // A track without times has the same time in every record, and its hike no duration.
        guard let first = statistics.startTime, let last = statistics.endTime else { return }
        if first == last, let start = times.start, let end = times.end {
            let lasting = end.seconds(since: start)
            if lasting > CheckSettings.timeTolerance {
                add(
                    HikeFindings.span,
                    "all points of the track have the same time, and the hike lasts \(Literal.duration(lasting.rounded()))"
                )
            }
        }
        guard first < last else { return }
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
}
