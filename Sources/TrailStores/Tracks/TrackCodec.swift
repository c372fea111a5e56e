import CZlib
import CivilTime
import Core
import Foundation
import Geodesy

/// The track format of `routes.db`: 20-byte little-endian records (Float32 latitude, longitude, altitude,
/// Float64 seconds since 2001-01-01T00:00:00Z), in one raw DEFLATE stream (RFC 1951, no header, no checksum).
/// The format cannot represent unknown values: an unknown altitude is stored as 0, an unknown time as that of
/// the previous point, or of the first point with a time.
public enum TrackCodec {
    /// Bytes of one point.
    public static let recordSize = 20
    /// 2001-01-01T00:00:00Z in seconds since 1970.
    private static let referenceDate = 978_307_200.0

    /// The points of a blob: raw DEFLATE as the format defines, zlib, gzip or uncompressed. `source` names
    /// store and row in errors. Throws `E-STORE-TRACK` if the stream is truncated, bytes are left over, the
    /// blob inflates to more than `limit` bytes, or (unless `checksPlaces` is off) a point is out of range.
    public static func decode(
        _ blob: Data, source: String, limit: Int = StoreSettings.largestTrack, checksPlaces: Bool = true
    ) throws(RutterError) -> [TrackPoint] {
        guard let track = try TrackBlob(blob, source: source, limit: limit) else {
            throw StoreErrors.track("\(source): \(unreadable(blob.count))")
        }
        if track.isCut {
            throw StoreErrors.track(
                "\(source): the \(track.framing.rawValue) stream of \(blob.count) bytes is cut short; "
                    + "\(track.points) points can be read")
        }
        let rest = track.bytes.count % recordSize
        guard rest == 0 else {
            throw StoreErrors.track("\(source): \(unreadable(track.bytes.count))")
        }
        let points = Self.points(track.bytes)
        // Other data may have a matching length; as a track their coordinates are out of range.
        if checksPlaces, let index = points.firstIndex(where: { !$0.coordinate.isValid }) {
            throw StoreErrors.track(
                "\(source): record \(index + 1) of \(points.count) (\(track.bytes.count) bytes) is out of range",
                fix: "`store check` lists all such tracks")
        }
        return points
    }

    /// Why bytes of this length are not a track.
    package static func unreadable(_ bytes: Int) -> String {
        let rest = bytes % recordSize
        return rest > 0
            ? "\(bytes) bytes are not a multiple of \(recordSize); \(rest) are left over"
            : "\(bytes) bytes are neither a DEFLATE stream nor records of \(recordSize) bytes"
    }

    /// The points of complete records; trailing bytes are ignored.
    package static func points(_ bytes: [UInt8]) -> [TrackPoint] {
        bytes.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count - raw.count % recordSize, by: recordSize).map { point(raw, at: $0) }
        }
    }

    /// Encodes points as a blob; `start` is the time of a track without times.
    public static func encode(_ points: [TrackPoint], start: Timestamp) -> Data {
        var bytes = [UInt8](repeating: 0, count: points.count * recordSize)
        var lastTime = points.lazy.compactMap(\.time).first ?? start
        bytes.withUnsafeMutableBytes { raw in
            func store<T: FixedWidthInteger>(_ value: T, at offset: Int) {
                raw.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
            }
            for (index, point) in points.enumerated() {
                let (place, offset) = (point.coordinate, index * recordSize)
                lastTime = point.time ?? lastTime
                store(Float(place.latitude).bitPattern, at: offset)
                store(Float(place.longitude).bitPattern, at: offset + 4)
                store(Float(place.altitude ?? 0).bitPattern, at: offset + 8)
                store((lastTime.seconds - referenceDate).bitPattern, at: offset + 12)
            }
        }
        return RawDeflate.deflate(bytes, .points)
    }

    private static func point(_ raw: UnsafeRawBufferPointer, at offset: Int) -> TrackPoint {
        func float(_ index: Int) -> Double {
            Double(
                Float(
                    bitPattern: UInt32(
                        littleEndian: raw.loadUnaligned(fromByteOffset: offset + index, as: UInt32.self))))
        }
        let seconds = Double(
            bitPattern: UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset + 12, as: UInt64.self)))
        return TrackPoint(
            coordinate: Coordinate(latitude: float(0), longitude: float(4), altitude: float(8)),
            time: Timestamp(seconds: seconds + referenceDate))
    }
}
