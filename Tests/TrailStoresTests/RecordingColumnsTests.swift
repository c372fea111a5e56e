import CivilTime
import Core
import Formats
import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import TrailStores

/// The columns that a recording's points are stored in: every bit comes back, in both versions.
@Suite(.needs(.zlib)) struct RecordingColumnsTests {
    private static func point(_ latitude: Double, _ longitude: Double, _ altitude: Double?, _ time: Int64?)
        -> GPXPoint
    {
        GPXPoint(
            coordinate: Coordinate(latitude: latitude, longitude: longitude, altitude: altitude),
            time: time.map(Timestamp.init(milliseconds:)))
    }

    /// Written by a Python script from the description of version 1: two segments, and values that are unknown.
    private static let versionOne = """
        636462606000614630cebfc350adcea05ec2c09dccc072d281e1bc3bc37f0786ff8cb318d266a2a067f20c6e0e0d0d4cac0c70e0b2a7bec7\
        a19e8999e1ce12560b06198639603381a63381a903810e508500
        """

    private static let oldPoints: [[GPXPoint]] = {
        var second = point(46.500_123_4, -7.9, nil, 1_770_000_001_500)
        second.sensors.heartRate = 71
        return [
            [point(46.5, 7.9, 500.25, 1_770_000_000_000), second], [point(46.123456789012, 180, -3.5, nil)],
        ]
    }()

    private static func bytes(_ hexadecimal: String) -> Data {
        let digits = Array(hexadecimal)
        return Data(
            stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            })
    }

    private static func bits(_ segments: [[GPXPoint]]) -> [[UInt64?]] {
        segments.joined().map { point in
            [
                point.coordinate.latitude.bitPattern, point.coordinate.longitude.bitPattern,
                point.coordinate.altitude?.bitPattern, point.time.map { UInt64(bitPattern: $0.milliseconds) },
            ] + PointSensors.Kind.allCases.map { point.sensors[$0]?.bitPattern }
        }
    }

    @Test func theFirstVersionIsRead() throws {
        let read = try RecordingCodec.segments(Self.bytes(Self.versionOne), source: "it")
        #expect(read == Self.oldPoints)
        #expect(Self.bits(read) == Self.bits(Self.oldPoints))
    }

    /// A store of the first version stays as it is while it is read, and is of the second one once the hike is edited.
    @Test func anEditUpgrades() throws {
        let folder = try TemporaryFolder()
        let store = try HikeStore(folder.url.appendingPathComponent("routes.db"), access: .own)
        let recording = Recording(line: GPXLine(name: "Walk", segments: Self.oldPoints))
        let statistics = try #require(HikeStatistics(segments: recording.segments))
        let hike = Hike(id: Fixture.id, name: "Walk", statistics: statistics, now: Fixture.moment)
        try store.insertAll([(hike, recording)])
        try store.connection.write { db in
            try db.execute(
                sql: "UPDATE rutter_recordings SET version = 1, points = ?",
                arguments: [Self.bytes(Self.versionOne)])
        }
        func version() throws -> Int? {
            try store.connection.read { try Int.fetchOne($0, sql: "SELECT version FROM rutter_recordings") }
        }
        let stored = try #require(try store.all().first)
        #expect(try store.recording(of: stored) == recording)
        #expect(try version() == 1)
        var shorter = recording
        shorter.line.segments.removeLast()
        let after = stored.measured(try #require(HikeStatistics(segments: shorter.segments)))
        #expect(try store.replace(stored, with: after, recording: shorter) != nil)
        #expect(try version() == 2)
        #expect(try store.recording(of: after) == shorter)
        #expect(try store.original(of: after) == recording)
        // For an unknown version the app's track is used.
        try store.connection.write { try $0.execute(sql: "UPDATE rutter_recordings SET version = 3") }
        #expect(try store.recording(of: after).line.segments.joined().count == 2)
        #expect(try store.recording(of: after) != shorter)
    }

    @Test(arguments: [
        ([7.9, 46.5001234, -180, 0], ColumnScale.decimals(7)), ([1, 2, -3], .decimals(0)),
        ([0.1, 0.25], .decimals(2)),
        ([1e-9], .decimals(9)), ([46.123456789012], .none), ([-0.0, 1], .none), ([.nan], .none),
        ([.infinity], .none),
        ([1e300, 0.5], .none), ([Double(554_800_123) * 180 / 2_147_483_648, 0], .semicircles),
        ([0.1 + 0.2], .none), ([9e15, -9e15], .decimals(0)),
        // The first is a whole number, but too large in the scale of the second.
        ([1e10, 0.123456789], .none),
    ])
    func scales(numbers: [Double], scale: ColumnScale) {
        #expect(ColumnScale(numbers) == scale)
        #expect(ColumnScale(byte: scale.byte) == scale)
        #expect(scale.words(numbers).map(scale.bits) == numbers.map(\.bitPattern))
    }

    private static func randomPoint(_ round: Int, _ random: inout Xoshiro256) -> GPXPoint {
        func number(_ size: Double) -> Double {
            let value = Double.random(in: -size...size, using: &random)
            return round % 3 == 0 ? value : (value * 1e6).rounded() / (round % 3 == 1 ? 1e6 : 1e7)
        }
        func maybe<T>(_ value: T) -> T? { Bool.random(using: &random) ? value : nil }
        let time = Int64.random(in: Int64.min...Int64.max, using: &random) >> Int64(round)
        var point = Self.point(number(90), number(180), maybe(number(9000)), maybe(time))
        for kind in PointSensors.Kind.allCases where round % 4 > 0 {
            point.sensors[kind] = maybe(number(300))
        }
        return point
    }

    @Test func everyBitComesBack() throws {
        var random = Xoshiro256(seed: 5)
        for round in 0..<60 {
            let count = Int.random(in: 1...40, using: &random)
            var segments: [[GPXPoint]] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                segments.append((0..<count).map { _ in Self.randomPoint(round, &random) })
            }
            let read = try RecordingCodec.segments(RecordingCodec.points(segments), source: "it")
            #expect(read.map(\.count) == segments.map(\.count))
            #expect(Self.bits(read) == Self.bits(segments))
        }
    }

    @Test func damagedColumnsAreAnError() {
        let whole = [UInt8](RecordingCodec.points(Self.oldPoints))
        guard case .inflated(let bytes)? = try? RawDeflate.inflate(Data(whole), limit: 1 << 20, source: "it")
        else {
            return #expect(Bool(false))
        }
        var random = Xoshiro256(seed: 9)
        for cut in 0..<bytes.count {
            let short = RawDeflate.deflate(Array(bytes[..<cut]))
            #expect(codeThrown { _ = try RecordingCodec.segments(short, source: "it") } == "E-STORE-TRACK")
        }
        // Any byte may be wrong: no trap, and no more points than the bytes can hold.
        for _ in 0..<3000 {
            var other = bytes
            other[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = try? RecordingCodec.segments(RawDeflate.deflate(other), source: "it")
        }
        // Four thousand million points in a few bytes.
        let claim: [UInt8] = [2, 1, 0, 0, 0, 255, 255, 255, 255, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(
            codeThrown { _ = try RecordingCodec.segments(RawDeflate.deflate(claim), source: "it") }
                == "E-STORE-TRACK")
    }

    /// A long track goes through libdeflate where it is installed, a short one through zlib; both are what the app inflates.
    @Test(arguments: [1000, 60_000]) func longAndShortTracks(count: Int) throws {
        let segment = (0..<count).map { (index: Int) -> GPXPoint in
            let altitude: Double? = index % 5 == 3 ? nil : Double(index % 800)
            return Self.point(
                46 + Double(index) * 1e-5, 7 + Double(index % 977) * 1e-6, altitude,
                Fixture.moment.milliseconds + Int64(index) * 1000)
        }
        let segments = [segment]
        let blob = TrackCodec.encode(segments, start: Fixture.moment)
        #expect(blob == TrackCodec.encode(segments, start: Fixture.moment))
        let track = try TrackCodec.decode(blob, source: "it")
        #expect(track.count == count)
        #expect(track.last?.time == segments[0].last?.time)
        #expect(track[3].coordinate.altitude == 3 && track[4].coordinate.altitude == 4)
    }
}
