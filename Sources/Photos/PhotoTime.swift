import CivilTime
import Foundation
import Geodesy

/// When a photo was taken: EXIF `DateTimeOriginal`, a local time, with `OffsetTimeOriginal` where the camera wrote it.
///
/// A camera that writes no offset may still write the receiver's time in UTC: the two differ by the offset of
/// the place, a multiple of a quarter of an hour, plus the error of the camera's clock and the age of the
/// fix.
public struct PhotoTime: Sendable {
    /// The source of the offset from UTC.
    public enum Zone: Sendable, Hashable {
        /// The camera wrote it.
        case written
        /// From the receiver's time.
        case receiver
        /// From the zone at the photo's coordinate.
        case place
        /// Unknown: the session's zone is assumed.
        case assumed
    }

    /// The local time as ISO 8601 writes it: `2026-02-06T08:15:30`.
    private let local: String
    /// The offset from UTC: `+01:00`.
    private let offset: String?
    /// The offset from UTC in seconds, derived from the receiver's time.
    private let receiverOffset: Int?
    /// Whether it is the receiver's time, because the camera wrote none.
    public let isReceivers: Bool

    /// Characters of a date and a time of day to the second.
    private static let plainLength = 19
    /// Offsets from UTC are whole quarters of an hour (tz database, today's zones).
    private static let quarter = 900.0
    /// Maximum seconds by which the difference may deviate from the nearest quarter of an hour, because of
    /// the clock's error and the fix's age; beyond that the quarter is ambiguous.
    private static let largestError = 300.0
    /// Offsets of the zones of the world, in seconds.
    private static let offsets = -12 * 3600...14 * 3600

    /// `nil` where the photo has no valid time; cameras without a clock write zeros. The receiver's time stands in for the camera's.
    public init?(_ info: PhotoInfo) {
        guard let (text, own) = info.taken.flatMap(Self.parts) else {
            guard let fix = info.gpsTime.flatMap(Self.iso) else { return nil }
            (local, offset, receiverOffset, isReceivers) = (fix, nil, 0, true)
            return
        }
        (local, isReceivers) = (text, false)
        offset = own ?? info.takenOffset.flatMap { ISO8601.timestamp(text + $0) == nil ? nil : $0 }
        receiverOffset =
            own == nil ? info.gpsTime.flatMap(Self.iso).flatMap { Self.offset(of: text, from: $0) } : nil
    }

    /// The local time to the second, with its own offset where one is behind it, as ISO 8601 writes it; some programs write a fraction of
    /// the second, too. `nil` for invalid times.
    private static func parts(_ exif: String) -> (local: String, offset: String?)? {
        guard let local = iso(String(exif.prefix(plainLength))) else { return nil }
        var rest = exif.dropFirst(plainLength)
        if rest.first == "." || rest.first == "," { rest = rest.dropFirst().drop(while: \.isNumber) }
        let offset = rest.filter { !$0.isWhitespace }
        guard !offset.isEmpty else { return (local, nil) }
        return ISO8601.timestamp(local + offset) == nil ? nil : (local, offset)
    }

    /// The time of the receiver's fix; `nil` where the photo has no valid one.
    public static func fix(_ info: PhotoInfo) -> Timestamp? {
        info.gpsTime.flatMap(iso).flatMap { ISO8601.timestamp($0 + "Z") }
    }

    /// `2026:02:06 08:15:30` as ISO 8601 writes it; `nil` for invalid times. Some programs write it so already.
    private static func iso(_ exif: String) -> String? {
        let parts = exif.split { $0 == " " || $0 == "T" }
        guard exif.count == plainLength, parts.count == 2 else { return nil }
        let text = "\(parts[0].replacing(":", with: "-").replacing("/", with: "-"))T\(parts[1])"
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

    /// That the receiver's time is another by at least a quarter of an hour than that of the camera with its written offset: one of
    /// them is wrong, or the fix is old.
    private func contradiction(of moment: Timestamp) -> String {
        guard let utc = ISO8601.timestamp(local + "Z"), let receiverOffset else { return "" }
        let seconds = utc.advanced(bySeconds: -Double(receiverOffset)).seconds(since: moment)
        guard abs(seconds) >= Self.quarter else { return "" }
        let minutes = Int((abs(seconds) / 60).rounded())
        let words = minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes) min"
        return "; the receiver's time is \(words) \(seconds < 0 ? "earlier" : "later")"
    }

    /// The moment, read with the offset that the camera wrote, that of the receiver's time, that of the zone at a
    /// coordinate, or that of the session's zone, in this order; `nil` where it is out of range.
    ///
    /// Near a border between zones, their zone is used if the clocks of all of them agree. An hour that a clock
    /// change skips or repeats is read by the offset before it.
    public func reading(near coordinate: Coordinate?, session: TimeZone) -> Reading? {
        if let offset {
            return ISO8601.timestamp(local + offset).map {
                Reading(moment: $0, zone: .written, words: offset + contradiction(of: $0))
            }
        }
        guard let utc = ISO8601.timestamp(local + "Z") else { return nil }
        if let receiverOffset {
            let moment = utc.advanced(bySeconds: -Double(receiverOffset))
            return Reading(moment: moment, zone: .receiver, words: "receiver")
        }
        let candidates = coordinate.map(PlaceZones.candidates) ?? []
        let clocks = candidates.map { Clock(utc, in: $0) }
        if let first = clocks.first, clocks.allSatisfy({ $0 == first }) {
            let names = candidates.map(\.identifier).joined(separator: " or ")
            return Reading(moment: first.moment, zone: .place, words: names + first.doubt)
        }
        let clock = Clock(utc, in: session)
        let name = session.displayName
        let border = candidates.isEmpty ? "" : ", at a border between zones"
        return Reading(moment: clock.moment, zone: .assumed, words: "\(name) assumed\(border)\(clock.doubt)")
    }

    /// A moment with the source of its offset from UTC.
    public struct Reading: Sendable, Hashable {
        /// When the photo was taken.
        public let moment: Timestamp
        /// The source of the offset.
        public let zone: Zone
        /// The same in words: `+01:00`, `receiver`, `Europe/Zurich`, `UTC assumed`; with a remark where a clock
        /// change skips or repeats the hour.
        public let words: String
    }

    /// A local time by the clocks of a zone.
    private struct Clock: Equatable {
        let moment: Timestamp
        /// A remark after the zone, for a time that is skipped or repeated.
        let doubt: String

        /// `utc` is the moment at which clocks of UTC show the time.
        init(_ utc: Timestamp, in zone: TimeZone) {
            func offset(_ time: Timestamp) -> Int { zone.offset(at: time) }
            func shifted(_ seconds: Int) -> Timestamp { utc.advanced(bySeconds: -Double(seconds)) }
            let (before, after) = (
                offset(utc.advanced(bySeconds: -day)), offset(utc.advanced(bySeconds: day))
            )
            let (early, late) = (shifted(before), shifted(after))
            let (isEarly, isLate) = (offset(early) == before, offset(late) == after)
            moment = !isEarly && isLate ? late : early
            doubt =
                before == after || isEarly != isLate
                ? "" : isEarly ? ", an hour that is repeated" : ", an hour that is skipped"
        }
    }

    /// Seconds around a time within which clocks are changed once at most.
    private static let day = 86_400.0
}
