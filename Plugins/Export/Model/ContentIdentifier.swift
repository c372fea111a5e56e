import CivilTime
import Core
import Formats
import Foundation

/// Identifiers derived from content, for data without one: equal content has the same identifier. A UUID of
/// version 8 (RFC 9562, 5.8): two 64-bit FNV-1a hashes with different initial values, over the given texts.
enum ContentIdentifier {
    private static let starts: [UInt64] = [FNV1a.start, 0x6C62_272E_07BB_0142]

    /// The identifier of some texts.
    static func of(_ words: [String]) -> UUID {
        let hashes = starts.map { start in
            words.reduce(start) { hash, word in
                // A byte that no text contains ends each text, so that `ab c` differs from `a bc`.
                FNV1a.hash(CollectionOfOne(0xFF), from: FNV1a.hash(word.utf8, from: hash))
            }
        }
        var bytes = hashes.flatMap { hash in
            (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(56 - 8 * $0)) }
        }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
                bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    /// The identifier of a point, from its data and coordinate.
    static func of(_ point: GPXPoint, index: Int) -> UUID {
        of([String(index), point.name ?? "", words(point)])
    }

    /// The identifier of a journey, from its name and points.
    static func of(_ journey: ExportJourney) -> UUID {
        of([journey.name] + journey.points.map(words))
    }

    private static func words(_ point: GPXPoint) -> String {
        let place = point.coordinate
        return "\(place.latitude) \(place.longitude) \(point.time?.milliseconds ?? 0)"
    }
}
