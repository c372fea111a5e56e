import CZlib
import CivilTime
import Foundation
import TrailStores

/// Track blobs in the framings that apps use, made with zlib itself, and damage to files.
enum Framed {
    /// The records of points, uncompressed, by the format's own words: Float32 latitude, longitude, altitude, Float64 seconds
    /// since 2001, little-endian.
    static func records(_ points: [TrackPoint]) -> [UInt8] {
        points.flatMap { point -> [UInt8] in
            let floats = [
                point.coordinate.latitude, point.coordinate.longitude, point.coordinate.altitude ?? 0,
            ]
            let seconds = (point.time?.seconds ?? 0) - 978_307_200
            return floats.flatMap { bytes(Float($0).bitPattern.littleEndian) }
                + bytes(seconds.bitPattern.littleEndian)
        }
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    static func zlib(_ data: [UInt8]) -> Data { deflated(data, bits: 15) }
    static func gzip(_ data: [UInt8]) -> Data { deflated(data, bits: 31) }
    static func raw(_ data: [UInt8]) -> Data { deflated(data, bits: -15) }

    /// The fixture's track with each point, or one, changed.
    static func changed(_ index: Int? = nil, _ change: (inout TrackPoint) -> Void) -> Data {
        var points = Fixture.track
        for place in points.indices where index == nil || place == index { change(&points[place]) }
        return raw(records(points))
    }

    /// Times in milliseconds since 2001.
    static func milliseconds(_ points: [TrackPoint]) -> Data {
        var data = records(points)
        for index in points.indices {
            let seconds = ((points[index].time?.seconds ?? 0) - 978_307_200) * 1000
            data.replaceSubrange(
                index * 20 + 12..<index * 20 + 20, with: bytes(seconds.bitPattern.littleEndian))
        }
        return raw(data)
    }

    private static func deflated(_ data: [UInt8], bits: Int32) -> Data {
        var stream = z_stream()
        var data = data
        var output = [UInt8](repeating: 0, count: data.count + 1000)
        let room = output.count
        deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        let count = data.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(room))
                _ = deflate(&stream, Z_FINISH)
                return room - Int(stream.avail_out)
            }
        }
        return Data(output[..<count])
    }

    static func flip(_ path: String, at offset: Int) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        guard offset < data.count else { throw CocoaError(.coderInvalidValue) }
        data[offset] ^= 0x55
        try data.write(to: URL(fileURLWithPath: path))
    }

    static func truncate(_ path: String, by count: Int) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        try data.dropLast(count).write(to: URL(fileURLWithPath: path))
    }
}
