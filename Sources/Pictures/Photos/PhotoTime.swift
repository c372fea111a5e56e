import CivilTime
import Foundation

/// When a photo was taken: EXIF `DateTimeOriginal`, a local time, with `OffsetTimeOriginal` where the camera wrote it.
public struct PhotoTime: Sendable {
    /// The local time as ISO 8601 writes it: `2026-02-06T08:15:30`.
    private let local: String
    /// The offset from UTC: `+01:00`.
    private let offset: String?

    /// `nil` where the photo has no valid time; cameras without a clock write zeros.
    public init?(_ info: PhotoInfo) {
        guard let taken = info.taken, taken.count == 19 else { return nil }
        let parts = taken.split(separator: " ")
        guard parts.count == 2 else { return nil }
        let text = "\(parts[0].replacing(":", with: "-"))T\(parts[1])"
        guard ISO8601.timestamp(text + "Z") != nil else { return nil }
        local = text
        offset = info.takenOffset.flatMap { ISO8601.timestamp(text + $0) == nil ? nil : $0 }
    }

    /// Whether the camera wrote the offset from UTC.
    public var hasOffset: Bool { offset != nil }

    /// The moment; without an offset in a zone. An hour that a clock change skips or repeats is read by the offset before it.
    public func moment(in zone: TimeZone) -> Timestamp? {
        if let offset { return ISO8601.timestamp(local + offset) }
        guard let utc = ISO8601.timestamp(local + "Z") else { return nil }
        func shifted(_ seconds: Int) -> Timestamp { utc.advanced(bySeconds: -Double(seconds)) }
        func seconds(_ time: Timestamp) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: time.seconds))
        }
        let first = shifted(seconds(utc))
        return shifted(seconds(first))
    }
}
