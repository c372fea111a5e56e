import CivilTime
import Core
import Formats
import Foundation
import Geodesy
import Synchronization

/// Recordings as two blobs: the numbers of the points in columns, and everything else as JSON.
///
/// The columns are one raw DEFLATE stream of: a version byte; the number of segments and the number of points of each
/// (UInt32); then the columns of latitude, longitude, altitude, time and the eight sensors. `ColumnWriter` describes a
/// column. Numbers are restored bit for bit.
enum RecordingCodec {
    static func points(_ segments: [[GPXPoint]]) -> Data {
        var columns = ColumnWriter(segments)
        columns.append { $0.coordinate.latitude }
        columns.append { $0.coordinate.longitude }
        columns.append { $0.coordinate.altitude }
        columns.append(milliseconds: { $0.time?.milliseconds })
        let known = PointSensors.kinds(of: segments)
        for kind in PointSensors.Kind.allCases {
            if known.contains(kind) {
                columns.append { $0.sensors[kind] }
            } else {
                columns.skip()
            }
        }
        return RawDeflate.deflate(columns.bytes, .runs)
    }

    /// The recording decoded last: a view of a hike reads it for each of its fields.
    private static let last = Mutex<(data: Data, segments: [[GPXPoint]])?>(nil)

    /// The segments of stored bytes.
    ///
    /// - Throws: `E-STORE-TRACK` for damaged bytes.
    static func segments(_ data: Data, source: String) throws(RutterError) -> [[GPXPoint]] {
        if let known = last.withLock({ $0?.data == data ? $0?.segments : nil }) { return known }
        let segments = try decoded(data, source: source)
        last.withLock { $0 = (data, segments) }
        return segments
    }

    private static func decoded(_ data: Data, source: String) throws(RutterError) -> [[GPXPoint]] {
        guard
            case .inflated(let bytes) = try RawDeflate.inflate(
                data, limit: RecordingSettings.largest, source: source),
            var reader = ColumnReader(bytes), let counts = reader.counts()
        else { throw damaged(source) }
        let total = counts.reduce(0, +)
        var columns: [[UInt64?]?] = []
        for number in 0..<(4 + PointSensors.Kind.allCases.count) {
            guard let column = reader.column(total, isTime: number == 3) else { throw damaged(source) }
            columns.append(column.isEmpty ? nil : column)
        }
        var all: [GPXPoint] = []
        all.reserveCapacity(total)
        for index in 0..<total {
            guard let latitude = columns[0]?[index], let longitude = columns[1]?[index] else {
                throw damaged(source)
            }
            var point = GPXPoint(
                coordinate: Coordinate(
                    latitude: Double(bitPattern: latitude), longitude: Double(bitPattern: longitude),
                    altitude: columns[2]?[index].map { Double(bitPattern: $0) }),
                time: columns[3]?[index].map { Timestamp(milliseconds: Int64(bitPattern: $0)) })
            for (number, kind) in PointSensors.Kind.allCases.enumerated() {
                if let bits = columns[4 + number]?[index] { point.sensors[kind] = Double(bitPattern: bits) }
            }
            all.append(point)
        }
        var segments: [[GPXPoint]] = []
        var start = 0
        for count in counts {
            segments.append(Array(all[start..<start + count]))
            start += count
        }
        return segments
    }

    static func damaged(_ source: String) -> RutterError {
        StoreErrors.track(
            "\(source): the recording is damaged",
            fix: "import the file again")
    }
}
