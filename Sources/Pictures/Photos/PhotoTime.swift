import CivilTime
import Foundation

/// When a photo was taken: EXIF `DateTimeOriginal`, a local time, with `OffsetTimeOriginal` where the camera wrote it.
///
/// A camera that writes no offset may still write the receiver's time in UTC: the two differ by the offset of the place, whole
/// quarters of an hour, and by what the camera's clock is wrong and the fix is old.
public struct PhotoTime: Sendable {
    /// The source of the offset from UTC.
    public enum Zone: Sendable, Hashable {
        /// The camera wrote it.
        case written
        /// From the receiver's time.
        case receiver
        /// Unknown: the reader assumes a zone.
        case assumed
    }

    /// The local time as ISO 8601 writes it: `2026-02-06T08:15:30`.
    private let local: String
    /// The offset from UTC: `+01:00`.
    private let offset: String?
    /// The offset from UTC in seconds, derived from the receiver's time.
    private let receiverOffset: Int?

    /// Offsets from UTC are whole quarters of an hour (tz database, today's zones).
    private static let quarter = 900.0
    /// Seconds by which a camera's clock and the age of its fix may differ from the nearest quarter of an hour: what is further
    /// off could belong to the next one.
    private static let largestError = 300.0
    /// Offsets of the zones of the world, in seconds.
    private static let offsets = -12 * 3600...14 * 3600

    /// `nil` where the photo has no valid time; cameras without a clock write zeros.
    public init?(_ info: PhotoInfo) {
        guard let text = info.taken.flatMap(Self.iso) else { return nil }
        local = text
        offset = info.takenOffset.flatMap { ISO8601.timestamp(text + $0) == nil ? nil : $0 }
        receiverOffset = info.gpsTime.flatMap(Self.iso).flatMap { Self.offset(of: text, from: $0) }
    }

    /// `2026:02:06 08:15:30` as ISO 8601 writes it; `nil` for invalid times.
    private static func iso(_ exif: String) -> String? {
        let parts = exif.split(separator: " ")
        guard exif.count == 19, parts.count == 2 else { return nil }
        let text = "\(parts[0].replacing(":", with: "-"))T\(parts[1])"
        return ISO8601.timestamp(text + "Z") == nil ? nil : text
    }

    private static func offset(of local: String, from utc: String) -> Int? {
        guard let here = ISO8601.timestamp(local + "Z"), let there = ISO8601.timestamp(utc + "Z") else {
            return nil
        }
        let difference = here.seconds(since: there)
        let whole = (difference / quarter).rounded() * quarter
        guard abs(difference - whole) <= largestError, let seconds = Int(exactly: whole),
            offsets.contains(seconds)
        else { return nil }
        return seconds
    }

    /// The source of the offset from UTC.
    public var zone: Zone { offset != nil ? .written : receiverOffset != nil ? .receiver : .assumed }

    /// The moment; without an offset in a zone. An hour that a clock change skips or repeats is read by the offset before it.
    public func moment(in zone: TimeZone) -> Timestamp? {
        if let offset { return ISO8601.timestamp(local + offset) }
        guard let utc = ISO8601.timestamp(local + "Z") else { return nil }
        func shifted(_ seconds: Int) -> Timestamp { utc.advanced(bySeconds: -Double(seconds)) }
        if let receiverOffset { return shifted(receiverOffset) }
        func seconds(_ time: Timestamp) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: time.seconds))
        }
        let first = shifted(seconds(utc))
        return shifted(seconds(first))
    }
}
