import CivilTime
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// The track blobs of `routes.db`.
///
/// The expected bytes were made with Python 3.11: `struct.pack('<fffd', …)`, `zlib.compressobj(6, DEFLATED, -15)`.
struct TrackCodecTests {
    private static let records = """
        224e3a425bb1ff4000a0f64476be0f51ed9ac741 5d6d07c21e371743000020c000008051ed9ac741 \
        00000000000034c371430a46000000000000f0bf
        """
    private static let deflated =
        "53f2b3728adef8df8161c13797b27dfc816f671d778ccd653f24672eeeccc0a0708081a1012cc6000626870b9db9dc20ec0ffb01"

    private func bytes(_ hex: String) -> Data {
        let digits = Array(hex.filter(\.isHexDigit))
        return Data(
            stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            })
    }

    private func decode(_ blob: Data, limit: Int = 1 << 20) throws -> [TrackPoint] {
        try TrackCodec.decode(blob, source: "routes.db, hike 1", limit: limit)
    }

    /// A raw DEFLATE stream of one stored block, written by hand after RFC 1951, 3.2.4.
    private func stored(_ data: Data) -> Data {
        let length = UInt16(data.count)
        return Data([1, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)])
            + data
    }

    private func expectGolden(_ points: [TrackPoint]) {
        #expect(points.map(\.coordinate.latitude) == [46.57630157470703, -33.8568000793457, 0])
        #expect(points.map(\.coordinate.longitude) == [7.9903998374938965, 151.21530151367188, -180])
        #expect(points.map(\.coordinate.altitude) == [1973, -2.5, 8848.8603515625])
        #expect(points.map(\.time?.milliseconds) == [1_770_365_730_123, 1_770_365_731_000, 978_307_199_000])
    }

    @Test func readsWhatAnotherDeflatorWrote() throws { expectGolden(try decode(bytes(Self.deflated))) }

    @Test func readsAStoredBlock() throws { expectGolden(try decode(stored(bytes(Self.records)))) }

    @Test func readsUncompressedRecords() throws { expectGolden(try decode(bytes(Self.records))) }

    @Test func writesTheSameRecords() throws {
        let points = try decode(bytes(Self.deflated))
        let blob = TrackCodec.encode(points, start: Fixture.moment)
        // The exact DEFLATE stream depends on zlib; here it is that of Python's zlib.
        #expect(blob == bytes(Self.deflated))
        expectGolden(try decode(blob))
    }

    @Test func pythonInflatesWhatIsWritten() throws {
        let python = URL(fileURLWithPath: "/usr/bin/env")
        let points = try decode(bytes(Self.deflated))
        let process = Process()
        process.executableURL = python
        process.arguments = [
            "python3", "-c", "import sys,zlib;print(zlib.decompress(bytes.fromhex(sys.argv[1]),-15).hex())",
            TrackCodec.encode(points, start: Fixture.moment).map { String(format: "%02x", $0) }.joined(),
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus != 127, "python3 is not installed")
        #expect(bytes(output) == bytes(Self.records))
    }

    @Test func emptyTracks() throws {
        #expect(try decode(Data()).isEmpty)
        #expect(try decode(TrackCodec.encode([], start: Fixture.moment)).isEmpty)
        #expect(try decode(Data([0x03, 0x00])).isEmpty)
    }

    @Test(arguments: [1, 19, 21, 59]) func leftOverBytesAreAnErrorThatCountsThem(count: Int) throws {
        let records = bytes(Self.records).prefix(count)
        for blob in [stored(Data(records)), Data(records)] {
            let message = try #require(messageThrown { _ = try decode(blob) })
            #expect(
                message
                    == "routes.db, hike 1: \(count) bytes are not a multiple of 20; \(count % 20) are left over"
            )
        }
        #expect(codeThrown { _ = try decode(Data(records)) } == "E-STORE-TRACK")
    }

    @Test func everyTruncationIsAnErrorOrRecords() throws {
        let blob = bytes(Self.deflated)
        for count in 1..<blob.count where count % 20 != 0 {
            #expect(codeThrown { _ = try decode(blob.prefix(count)) } == "E-STORE-TRACK", "\(count) bytes")
        }
    }

    @Test func aBombStopsAtTheLimit() throws {
        // 20 MB of zeros deflate to less than 100 kB.
        let points = [TrackPoint](
            repeating: TrackPoint(coordinate: Coordinate(latitude: 0, longitude: 0, altitude: 0), time: nil),
            count: 1_000_000)
        let blob = TrackCodec.encode(points, start: Timestamp(milliseconds: 978_307_200_000))
        #expect(blob.count < 100_000)
        let message = try #require(messageThrown { _ = try decode(blob, limit: 1 << 20) })
        #expect(
            message
                == "routes.db, hike 1: \(blob.count) bytes inflate to more than 1048576, the limit of a track"
        )
        #expect(try decode(blob, limit: 20_000_000).count == 1_000_000)
    }

    @Test func unknownTimesAndAltitudes() throws {
        func point(_ time: Int64?) -> TrackPoint {
            TrackPoint(
                coordinate: Coordinate(latitude: 1, longitude: 2),
                time: time.map { Timestamp(milliseconds: $0) })
        }
        let start = Timestamp(milliseconds: 5000)
        let none = try decode(TrackCodec.encode([point(nil), point(nil)], start: start))
        #expect(none.map(\.time) == [start, start])
        #expect(none.map(\.coordinate.altitude) == [0, 0])
        let some = try decode(TrackCodec.encode([point(nil), point(9000), point(nil)], start: start))
        #expect(some.map(\.time?.milliseconds) == [9000, 9000, 9000])
    }

    @Test func randomBytesNeverCrash() {
        var random = Xoshiro256(seed: 3)
        for _ in 0..<2000 {
            let blob = Data(
                (0..<Int.random(in: 0...200, using: &random)).map { _ in random.next() }.map(
                    UInt8.init(truncatingIfNeeded:)))
            let code = codeThrown { _ = try decode(blob) }
            #expect(code == nil || code == "E-STORE-TRACK")
        }
    }

    @Test(arguments: [Float.nan, 90.5, -180.5, 4e29, .infinity])
    func aPlaceThatIsNotOnEarthIsAnError(latitude: Float) throws {
        let sound = TrackPoint(coordinate: Coordinate(latitude: 1, longitude: 2, altitude: 3), time: nil)
        let odd = TrackPoint(coordinate: Coordinate(latitude: Double(latitude), longitude: 2), time: nil)
        let blob = TrackCodec.encode([sound, odd], start: Fixture.moment)
        let message = messageThrown { _ = try TrackCodec.decode(blob, source: "routes.db, hike 1") }
        #expect(message == "routes.db, hike 1: record 2 of 2 (40 bytes) is out of range")
        #expect(try TrackCodec.decode(blob, source: "x", checksCoordinates: false).count == 2)
    }
}
