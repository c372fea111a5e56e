import CivilTime
import Geodesy

/// Determines the error of a camera's clock from its photos that also have a position near the recording.
enum CameraClock {
    /// Seconds to add to the camera's times; `nil` if no photo has a position near the recording.
    ///
    /// A photo fits an offset if the recording was near the photo's position at its time with that offset: during a rest these are
    /// many. The offset that fits most photos is used. A clock that is right by as many photos as any other offset is right:
    /// "no offset" is always a candidate.
    static func offset(
        _ photos: [(time: Timestamp, coordinate: Coordinate)], on timeline: TrackTimeline
    ) -> Double? {
        var spans: [Span] = []
        for (index, photo) in photos.enumerated() {
            for passage in timeline.passages(of: photo.coordinate) {
                spans.append(
                    Span(
                        first: passage.first.seconds(since: photo.time),
                        last: passage.last.seconds(since: photo.time),
                        nearest: passage.nearest.seconds(since: photo.time), photo: index))
            }
        }
        guard !spans.isEmpty else { return nil }
        let none = votes(0, spans)
        // The best offset is the beginning of a span, since there is none between two beginnings that fits more.
        let best = spans.map(\.first).map { (votes: votes($0, spans), offset: $0) }
            .max { ($0.votes, -abs($0.offset)) < ($1.votes, -abs($1.offset)) }
        guard let best, best.votes > none else { return 0 }
        // Of the spans that fit, the middle one of their nearest moments.
        let nearest = spans.filter { $0.contains(best.offset) }.map(\.nearest).sorted()
        return nearest[(nearest.count - 1) / 2]
    }

    /// The offsets at which a photo is near the recording, in one passage.
    private struct Span {
        var first: Double
        var last: Double
        var nearest: Double
        var photo: Int

        func contains(_ offset: Double) -> Bool { first <= offset && offset <= last }
    }

    private static func votes(_ offset: Double, _ spans: [Span]) -> Int {
        Set(spans.lazy.filter { $0.contains(offset) }.map(\.photo)).count
    }
}
