import CZlib
import CivilTime
import Core
import Formats
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
    fileprivate static let referenceDate = 978_307_200.0

    /// The points of a blob: raw DEFLATE as the format defines, zlib, gzip or uncompressed. `source` names
    /// store and row in errors. Throws `E-STORE-TRACK` if the stream is truncated, bytes are left over, the
    /// blob inflates to more than `limit` bytes, or (unless `checksCoordinates` is off) a point is out of range.
    public static func decode(
        _ blob: Data, source: String, limit: Int = StoreSettings.largestTrack, checksCoordinates: Bool = true
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
        if checksCoordinates, let index = points.firstIndex(where: { !$0.coordinate.isValid }) {
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
        var records = TrackRecords(count: points.count, start: points.lazy.compactMap(\.time).first ?? start)
        for point in points { records.append(point.coordinate, point.coordinate.altitude, point.time) }
        return RawDeflate.deflate(records.bytes, .points)
    }

    /// The blob of a recording's segments. The app's track has no unknown altitude: unknown ones are interpolated
    /// between the known ones of their segment, so that the app draws no climbs that were not there; 0 where the
    /// whole is unknown.
    static func encode(_ segments: [[GPXPoint]], start: Timestamp) -> Data {
        var records = TrackRecords(
            count: segments.reduce(0) { $0 + $1.count },
            start: segments.lazy.joined().lazy.compactMap(\.time).first ?? start)
        for segment in segments {
            if segment.allSatisfy({ $0.coordinate.altitude != nil }) {
                for point in segment {
                    records.append(point.coordinate, point.coordinate.altitude, point.time)
                }
            } else {
                let heights = Interpolation.filled(segment.map(\.coordinate.altitude))
                for (point, height) in zip(segment, heights) {
                    records.append(point.coordinate, height, point.time)
                }
            }
        }
        return RawDeflate.deflate(records.bytes, .points)
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

/// The records of points, one after the other.
private struct TrackRecords {
    private(set) var bytes: [UInt8]
    private var position = 0
    private var lastTime: Timestamp

    /// Space for a number of points; `start` is the time of those before the first one that has a
    /// time.
    init(count: Int, start: Timestamp) {
        bytes = [UInt8](repeating: 0, count: count * TrackCodec.recordSize)
        lastTime = start
    }

    mutating func append(_ coordinate: Coordinate, _ altitude: Double?, _ time: Timestamp?) {
        lastTime = time ?? lastTime
        let (start, seconds) = (position, lastTime.seconds - TrackCodec.referenceDate)
        bytes.withUnsafeMutableBytes { raw in
            func store<T: FixedWidthInteger>(_ value: T, at offset: Int) {
                raw.storeBytes(of: value.littleEndian, toByteOffset: start + offset, as: T.self)
            }
            store(Float(coordinate.latitude).bitPattern, at: 0)
            store(Float(coordinate.longitude).bitPattern, at: 4)
            store(Float(altitude ?? 0).bitPattern, at: 8)
            store(seconds.bitPattern, at: 12)
        }
        position += TrackCodec.recordSize
    }
}
