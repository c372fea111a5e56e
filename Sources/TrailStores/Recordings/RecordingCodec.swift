import CivilTime
import Core
import Formats
import Foundation
import Geodesy

/// Recordings as two blobs: the numbers of the points in columns, and everything else as JSON. The columns
/// are one raw DEFLATE stream of: a version byte; the number of segments and the number of points of each
/// (UInt32); then for latitude, longitude, altitude, time and the eight sensors a byte (0: no point has a
/// value, 1: all have, 2: a bitmap follows) and the values as 8-byte words, delta-encoded and transposed by
/// byte: the first bytes of all words, then the second ones. Numbers are stored as bit patterns, so that they
/// are restored exactly.
enum RecordingCodec {
    static func points(_ segments: [[GPXPoint]]) -> Data {
        var columns = Columns(segments)
        columns.append { $0.coordinate.latitude.bitPattern }
        columns.append { $0.coordinate.longitude.bitPattern }
        columns.append { $0.coordinate.altitude?.bitPattern }
        columns.append { $0.time.map { UInt64(bitPattern: $0.milliseconds) } }
        let known = PointSensors.kinds(of: segments)
        for kind in PointSensors.Kind.allCases {
            if known.contains(kind) {
                columns.append { $0.sensors[kind]?.bitPattern }
            } else {
                columns.skip()
            }
        }
        return RawDeflate.deflate(columns.bytes, .runs)
    }

    static func segments(_ data: Data, source: String) throws(RutterError) -> [[GPXPoint]] {
        guard
            case .inflated(let bytes) = try RawDeflate.inflate(
                data, limit: RecordingSettings.largest, source: source)
        else { throw damaged(source) }
        var reader = Reader(bytes: bytes)
        guard reader.byte() == UInt8(RecordingSettings.version), let count = reader.number(),
            count <= bytes.count
        else { throw damaged(source) }
        var counts: [Int] = []
        for _ in 0..<count {
            guard let number = reader.number() else { throw damaged(source) }
            counts.append(number)
        }
        let total = counts.reduce(0, +)
        // Latitude and longitude have eight bytes each.
        guard total <= bytes.count / 16 else { throw damaged(source) }
        var columns: [[UInt64?]?] = []
        for _ in 0..<(4 + PointSensors.Kind.allCases.count) {
            guard let column = reader.column(total) else { throw damaged(source) }
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
            fix: "import the file again, or `hike original --app` reads the app's track")
    }

    /// The columns of points, in sequence.
    private struct Columns {
        let segments: [[GPXPoint]]
        let count: Int
        private(set) var bytes: [UInt8] = [UInt8(RecordingSettings.version)]
        /// The differences of consecutive values; the buffer is reused for each column.
        private var words: [UInt64] = []

        init(_ segments: [[GPXPoint]]) {
            self.segments = segments
            count = segments.reduce(0) { $0 + $1.count }
            words.reserveCapacity(count)
            append(UInt32(segments.count))
            for segment in segments { append(UInt32(segment.count)) }
        }

        private mutating func append(_ value: UInt32) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }

        /// Adds a column without values.
        mutating func skip() { bytes.append(0) }

        mutating func append(_ value: (GPXPoint) -> UInt64?) {
            words.removeAll(keepingCapacity: true)
            var bitmap = [UInt8](repeating: 0, count: (count + 7) / 8)
            var index = 0
            var last: UInt64 = 0
            for segment in segments {
                for point in segment {
                    if let word = value(point) {
                        bitmap[index >> 3] |= 1 << (index & 7)
                        words.append(word &- last)
                        last = word
                    }
                    index += 1
                }
            }
            guard !words.isEmpty else { return skip() }
            bytes.append(words.count == count ? 1 : 2)
            if words.count < count { bytes += bitmap }
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: words.count * 8))
            bytes.withUnsafeMutableBufferPointer { bytes in
                for plane in 0..<8 {
                    let first = start + plane * words.count
                    for (index, word) in words.enumerated() {
                        bytes[first + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * plane))
                    }
                }
            }
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        mutating func byte() -> UInt8? {
            guard position < bytes.count else { return nil }
            position += 1
            return bytes[position - 1]
        }

        mutating func number() -> Int? {
            guard position + 4 <= bytes.count else { return nil }
            defer { position += 4 }
            return (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
        }

        /// A column of `count` values; empty if none is known, `nil` if bytes are missing.
        mutating func column(_ count: Int) -> [UInt64?]? {
            guard let kind = byte(), kind <= 2 else { return nil }
            if kind == 0 { return [] }
            var bitmap: ArraySlice<UInt8>?
            var known = count
            if kind == 2 {
                let size = (count + 7) / 8
                guard position + size <= bytes.count else { return nil }
                let slice = bytes[position..<position + size]
                known = slice.reduce(0) { $0 + $1.nonzeroBitCount }
                bitmap = slice
                position += size
            }
            guard known <= count, position + known * 8 <= bytes.count else { return nil }
            var words: [UInt64] = []
            words.reserveCapacity(known)
            var last: UInt64 = 0
            for index in 0..<known {
                var word: UInt64 = 0
                for plane in 0..<8 {
                    word |= UInt64(bytes[position + plane * known + index]) << UInt64(8 * plane)
                }
                last = last &+ word
                words.append(last)
            }
            position += known * 8
            guard let bitmap else { return words }
            var next = words.makeIterator()
            return (0..<count).map { index in
                bitmap[bitmap.startIndex + index / 8] & 1 << (index % 8) != 0 ? next.next() : nil
            }
        }
    }
}
