import CivilTime
import Geodesy

/// Determines the error of a camera's clock from its photos that also have a position near the recording.
enum CameraClock {
    /// Seconds to add to the camera's times; `nil` if no photo has a position near the recording. Each
    /// passage near a photo's position gives a possible offset. The offset that fits most photos is used; if
    /// several do, the smallest.
    static func offset(
        _ photos: [(time: Timestamp, coordinate: Coordinate)], on timeline: TrackTimeline
    ) -> Double? {
        var candidates: [(offset: Double, photo: Int)] = []
        for (index, photo) in photos.enumerated() {
            for passage in timeline.passages(of: photo.coordinate) {
                candidates.append((passage.seconds(since: photo.time), index))
            }
        }
        candidates.sort { ($0.offset, $0.photo) < ($1.offset, $1.photo) }
        var best: (votes: Int, offset: Double)?
        var end = 0
        for start in candidates.indices {
            end = max(end, start)
            while end < candidates.count,
                candidates[end].offset - candidates[start].offset <= PhotoMatchSettings.agreement
            { end += 1 }
            let window = candidates[start..<end]
            let votes = Set(window.map(\.photo)).count
            let middle = window[start + (end - start - 1) / 2].offset
            let isBetter =
                best.map { votes > $0.votes || votes == $0.votes && abs(middle) < abs($0.offset) } ?? true
            if isBetter { best = (votes, middle) }
        }
        return best?.offset
    }
}
