import CivilTime
import Geodesy

/// Determines the error of a camera's clock from its photos that also have a position near the recording.
enum CameraClock {
    /// A photo with a position.
    struct Sighting {
        /// When it was taken, by the camera's clock.
        var time: Timestamp
        /// Its own position.
        var coordinate: Coordinate
        /// The time of the receiver's fix; `nil` if it has none.
        var fix: Timestamp?

        /// A photo with a position, and without a time of the receiver unless one is given.
        init(_ time: Timestamp, _ coordinate: Coordinate, fix: Timestamp? = nil) {
            (self.time, self.coordinate, self.fix) = (time, coordinate, fix)
        }
    }

    /// What the photos say of the clock.
    struct Finding: Equatable {
        /// Seconds to add to the camera's times, by the photos that fit best; 0 for a clock that is right.
        var offset: Double
        /// The number of photos that fit it.
        var photos: Int
        /// Whether it is proved: by several photos, or by one with the receiver's time if the clock is slow. A single position proves
        /// nothing: a phone may write that of an earlier fix, with its time.
        var isProved: Bool

        /// Seconds that are added to the camera's times.
        var applied: Double { isProved ? offset : 0 }
    }

    /// The finding; `nil` if no photo has a position near the recording.
    ///
    /// A photo fits an offset if the recording was near the photo's position at its time with that offset: during a rest these are
    /// many. The offset that fits most photos is used. A clock that is right by as many photos as any other offset is right:
    /// "no offset" is always a candidate. So is one that a receiver's time agrees with.
    static func finding(_ photos: [Sighting], on timeline: TrackTimeline) -> Finding? {
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
        let none = fitting(0, spans).count
        let isRight = photos.contains { $0.isConfirmed(offset: 0) }
        // The best offset is the beginning of a span, since there is none between two beginnings that fits more.
        let best = spans.map(\.first).map { (votes: fitting($0, spans).count, offset: $0) }
            .max { ($0.votes, -abs($0.offset)) < ($1.votes, -abs($1.offset)) }
        guard !isRight, let best, best.votes > none else {
            return Finding(offset: 0, photos: none, isProved: true)
        }
        // Of the spans that fit, the middle one of their nearest moments.
        let fits = spans.filter { $0.contains(best.offset) }
        let nearest = fits.map(\.nearest).sorted()
        let offset = nearest[(nearest.count - 1) / 2]
        let voters = fitting(best.offset, spans).map { photos[$0] }
        let times = voters.map(\.time)
        // Photos of one moment are as one.
        let areSeveral =
            times.max().flatMap { last in times.min().map { last.seconds(since: $0) } } ?? 0
            >= PhotoMatchSettings.moment
        // A fix may be older than the photo, but never younger: only a clock that is slow is proved by one.
        let isProved = areSeveral || offset > 0 && voters.contains { $0.isConfirmed(offset: offset) }
        // What the age of a fix explains says nothing of the clock.
        let least = fits.map { min(abs($0.first), abs($0.last)) }.max() ?? 0
        if !isProved, least <= PhotoMatchSettings.moment {
            return Finding(offset: 0, photos: none, isProved: true)
        }
        return Finding(offset: offset, photos: voters.count, isProved: isProved)
    }

    /// The offsets at which a photo is near the recording, in one passage.
    private struct Span {
        var first: Double
        var last: Double
        var nearest: Double
        var photo: Int

        func contains(_ offset: Double) -> Bool { first <= offset && offset <= last }
    }

    /// The photos that fit an offset.
    private static func fitting(_ offset: Double, _ spans: [Span]) -> Set<Int> {
        Set(spans.lazy.filter { $0.contains(offset) }.map(\.photo))
    }
}

extension CameraClock.Sighting {
    /// Whether the receiver's time agrees with the camera's with an offset.
    fileprivate func isConfirmed(offset: Double) -> Bool {
        guard let fix else { return false }
        return abs(fix.seconds(since: time) - offset) <= PhotoMatchSettings.moment
    }
}
