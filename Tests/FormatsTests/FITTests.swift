import Archives
import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

/// FIT: the sample files against sums that fitdecode 0.10 computed, and broken files.
struct FITTests {
    /// Sums over the records of a file, as fitdecode reads them.
    struct Oracle: Sendable, CustomTestStringConvertible {
        let file: String
        let placed: Int
        let unplaced: Int
        let segments: [Int]
        /// Semicircles.
        let latitude: Int64
        let longitude: Int64
        let seconds: Int64
        let altitude: Double
        let speed: Double
        let distance: Double
        let temperature: Double
        let heartRate: Double
        var testDescription: String { file }
    }

    static let oracles = [
        Oracle(
            file: "fit-sample", placed: 533, unplaced: 7, segments: [533], latitude: 341_708_218_012,
            longitude: -9_070_507_008, seconds: 695_206_011_591, altitude: 15_397.6, speed: 1899.507,
            distance: 2_695_401.16, temperature: 0, heartRate: 0),
        // The segments are those of gpsbabel's conversions.
        Oracle(
            file: "garmin-edge-800", placed: 1286, unplaced: 0, segments: [47, 438, 13, 196, 4, 32, 3, 553],
            latitude: 739_224_795_552, longitude: 181_668_464_898, seconds: 1_715_828_846_081,
            altitude: 683_827,
            speed: 9013.704, distance: 15_571_334.67, temperature: 16_490, heartRate: 0),
        Oracle(
            file: "wahoo-element-bolt", placed: 1101, unplaced: 0, segments: [315, 6, 775, 5],
            latitude: 679_175_912_644, longitude: 114_717_414_713, seconds: 1_675_204_842_726,
            altitude: 142_682.6, speed: 4684.353, distance: 2_843_575.54, temperature: 7881,
            heartRate: 153_708),
    ]

    private static func check(_ document: GPXDocument, _ oracle: Oracle) {
        let line = document.tracks.first ?? GPXLine()
        #expect(document.tracks.count == 1)
        #expect(line.segments.map(\.count) == oracle.segments)
        #expect(line.unplaced.count == oracle.unplaced)
        let points = Array(line.segments.joined())
        #expect(points.count == oracle.placed)
        func semicircles(_ degrees: Double) -> Int64 { Int64((degrees / 180 * 2_147_483_648).rounded()) }
        func sum(_ value: (GPXPoint) -> Double?) -> Double { points.compactMap(value).reduce(0, +) }
        #expect(points.reduce(0) { $0 + semicircles($1.coordinate.latitude) } == oracle.latitude)
        #expect(points.reduce(0) { $0 + semicircles($1.coordinate.longitude) } == oracle.longitude)
        #expect(points.reduce(0) { $0 + ($1.time?.milliseconds ?? 0) / 1000 } == oracle.seconds)
        #expect(abs(sum(\.coordinate.altitude) - oracle.altitude) < 0.01)
        #expect(abs(sum(\.sensors.speed) - oracle.speed) < 0.001)
        #expect(abs(sum(\.sensors.distance) - oracle.distance) < 0.01)
        #expect(sum(\.sensors.temperature) == oracle.temperature)
        #expect(sum(\.sensors.heartRate) == oracle.heartRate)
    }

    @Test(.enabled(if: RealData.has("fit"), "needs the folder of real data"), arguments: oracles)
    func aSampleAgreesWithFitdecode(oracle: Oracle) throws {
        let document = try FITReader.document(RealData.url("fit/\(oracle.file).fit"))
        Self.check(document, oracle)
    }

    @Test(.enabled(if: RealData.has("fit"), "needs the folder of real data"), arguments: oracles)
    func aSampleComesBackFromFIT(oracle: Oracle) throws {
        let document = try FITReader.document(RealData.url("fit/\(oracle.file).fit"))
        let line = try #require(document.tracks.first)
        let bytes = FITWriter.bytes(line) { _ in }
        let back = try FITReader.document(Data(bytes), "back.fit")
        Self.check(back, oracle)
        let again = try #require(back.tracks.first)
        #expect(again.segments == line.segments)
        #expect(again.unplaced == line.unplaced)
        #expect(again.type == line.type)
        #expect(again.calories == line.calories)
        #expect(again.laps.map(\.start) == line.laps.map(\.start))
        #expect(again.laps.map(\.distance) == line.laps.map(\.distance))
        #expect(FormatCapacity.fit.losses([line]).isEmpty)
    }

    @Test(
        .enabled(if: RealData.has("fit"), "needs the folder of real data"),
        arguments: [
            ("fit-sample", "reference_track_fit-sample"),
            ("garmin-edge-800", "reference_track_garmin-edge-800-output"),
            ("wahoo-element-bolt", "reference_track_wahoo-element-bolt"),
        ])
    func aSampleAgreesWithTheConversionOfGpsbabel(file: String, conversion: String) throws {
        let points = try FITReader.document(RealData.url("fit/\(file).fit")).tracks[0].segments.joined()
        let others = try GPXReader.document(RealData.url("gpx/\(conversion).gpx")).tracks.flatMap {
            $0.segments.joined()
        }
        #expect(points.count == others.count)
        for (point, other) in zip(points, others) {
            #expect(abs(point.coordinate.latitude - other.coordinate.latitude) < 1e-7)
            #expect(abs(point.coordinate.longitude - other.coordinate.longitude) < 1e-7)
            #expect(point.time == other.time)
            if let height = other.coordinate.altitude {
                #expect(abs((point.coordinate.altitude ?? 1e9) - height) < 0.01)
            }
            if let rate = other.heartRate { #expect(point.heartRate == rate) }
        }
    }

    // MARK: Made by hand

    /// A file of messages with the right checksum.
    private static func file(_ messages: [UInt8], headerSize: UInt8 = 14) -> Data {
        var bytes: [UInt8] = [headerSize, 0x10, 0x34, 0x08]
        bytes += withUnsafeBytes(of: UInt32(messages.count).littleEndian, Array.init)
        bytes += Array(".FIT".utf8)
        if headerSize == 14 { bytes += [0, 0] }
        bytes += messages
        return Data(bytes + withUnsafeBytes(of: crc(bytes).littleEndian, Array.init))
    }

    /// The algorithm of the FIT SDK, by nibbles: different from the reader's.
    private static func crc(_ bytes: [UInt8]) -> UInt16 {
        let table: [UInt16] = [
            0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800, 0xB401,
            0x5000,
            0x9C01, 0x8801, 0x4400,
        ]
        return bytes.reduce(0) { crc, byte in
            let low = table[Int(crc & 15)] ^ ((crc >> 4) & 0x0FFF) ^ table[Int(byte & 15)]
            return table[Int(low & 15)] ^ ((low >> 4) & 0x0FFF) ^ table[Int(byte >> 4)]
        }
    }

    private static func big(_ value: Int32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    /// Two records big endian: the second with a compressed timestamp, five bits of which have wrapped around.
    private static let bigEndian: [UInt8] =
        [0x40, 0, 1, 0, 20, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 3, 1, 2] + [0]
        + big(1_000_000_031) + big(536_870_912) + big(-1_073_741_824) + [120]
        + [0x41, 0, 1, 0, 20, 2, 0, 4, 0x85, 1, 4, 0x85] + [0x80 | 1 << 5 | 2] + big(536_870_913)
        + big(-1_073_741_823)

    @Test func bigEndianAndCompressedTimestamps() throws {
        let document = try FITReader.document(Self.file(Self.bigEndian), "a.fit")
        let points = try #require(document.tracks.first).segments[0]
        #expect(points.map(\.coordinate.latitude)[0] == 45)
        #expect(points.map(\.coordinate.longitude)[0] == -90)
        #expect(points.map(\.heartRate) == [120, nil])
        // 1,000,000,031 ends in the bits 11111; 00010 is three seconds later.
        #expect(points[0].time == Timestamp(milliseconds: 1_631_065_631_000))
        #expect(points[1].time?.seconds(since: points[0].time ?? Timestamp(milliseconds: 0)) == 3)
        #expect(points[0].coordinate.altitude == nil)
        #expect(try FITReader.document(Self.file(Self.bigEndian, headerSize: 12), "a.fit").tracks.count == 1)
    }

    /// A clock that counts from its start, in a file whose bytes were changed: no record is taken for damage.
    @Test func aClockFromTheStartInADamagedFile() throws {
        let definition: [UInt8] = [0x40, 0, 1, 0, 20, 3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85]
        var records: [UInt8] = []
        for index in 0..<8 {
            let (time, latitude) = (Int32(10 + 20 * index), Int32(536_870_912 + 1000 * index))
            records.append(0)
            records += Self.big(time)
            records += Self.big(latitude)
            records += Self.big(100_000_000)
        }
        var bytes = Self.file(definition + records)
        bytes[bytes.count - 1] ^= 0xFF
        let document = try FITReader.document(bytes, "a.fit")
        let points = try #require(document.tracks.first).segments.joined()
        #expect(points.count == 8)
        #expect(points.allSatisfy { abs($0.coordinate.latitude - 45) < 0.001 })
        #expect(document.doubts.contains { $0.contains("checksum") })
        #expect(!document.doubts.contains { $0.contains("could not be read") }, "\(document.doubts)")
    }

    @Test func developerFieldsAreCountedAndNamed() throws {
        let name = Array("Stamina".utf8) + [0]
        let description: [UInt8] =
            [0x40, 0, 0, 206, 0, 3, 0, 1, 2, 1, 1, 2, 3, 8, 7] + [0, 0, 5] + name
        let record: [UInt8] =
            [0x61, 0, 0, 20, 0, 2, 0, 4, 0x85, 1, 4, 0x85, 1, 5, 1, 0] + [1, 0, 0, 0, 1, 0, 0, 0, 1, 77]
        let document = try FITReader.document(Self.file(description + record), "a.fit")
        #expect(document.tracks.first?.pointCount == 1)
        #expect(document.tracks.first?.segments[0][0].time == nil)
        #expect(document.notices == ["developer field Stamina was ignored (1 time)"])
    }

    /// A sensor that an app reads stands in for the device's where the description says so, in the unit of the field; other units are
    /// no measurement of ours.
    @Test(arguments: [("bpm", 77.0), ("", 77), ("furlongs", nil)] as [(String, Double?)])
    func aDeveloperFieldStandsInForTheDevices(units: String, expected: Double?) throws {
        // Index, number, base type, name, units, message and number of the field that it stands for.
        let words = Array("HR".utf8) + [0] + Array(units.utf8) + [0]
        let description: [UInt8] =
            [0x40, 0, 0, 206, 0, 7, 0, 1, 2, 1, 1, 2, 2, 1, 2, 3, 3, 7, 8, UInt8(units.utf8.count + 1), 7]
            + [14, 2, 0x84, 15, 1, 2] + [0, 0, 5, 2] + words + [20, 0, 3]
        let record: [UInt8] =
            [0x61, 0, 0, 20, 0, 2, 0, 4, 0x85, 1, 4, 0x85, 1, 5, 1, 0] + [1, 0, 0, 0, 1, 0, 0, 0, 1, 77]
        let document = try FITReader.document(Self.file(description + record), "a.fit")
        let point = try #require(document.tracks.first?.segments.first?.first)
        #expect(point.heartRate == expected)
        #expect(document.notices.isEmpty == (expected != nil))
    }

    /// An activity indoors comes back with its measurements, times and totals.
    @Test func anActivityWithoutPositionsComesBack() throws {
        var line = GPXLine(type: "cycling")
        let start = try #require(Timestamp(seconds: 1_780_732_800))
        line.unplaced = (0..<20).map { index in
            var sensors = PointSensors()
            sensors.heartRate = 110 + Double(index)
            sensors.power = 200 + Double(index)
            sensors.distance = 80 * Double(index)
            return UnplacedSample(
                time: start.advanced(bySeconds: 10 * Double(index)), altitude: nil, sensors: sensors)
        }
        var totals = DeviceTotals()
        (totals.ascent, totals.timer, totals.elapsed, totals.distance) = (12, 180, 190, 1520)
        line.totals = totals
        let back = try FITReader.document(Data(FITWriter.bytes(line) { _ in }), "back.fit")
        let again = try #require(back.tracks.first)
        #expect(again.unplaced == line.unplaced && again.type == "cycling")
        #expect(again.totals?.ascent == 12 && again.totals?.timer == 180 && again.totals?.elapsed == 190)
        #expect(again.totals?.distance == 1520 && again.totals?.maximumHeartRate == 129)
        #expect(FormatCapacity.fit.losses([line]).isEmpty)
        let written = TCXWriter.bytes([line]) { _ in }
        let tcx = try TCXReader.document(SourceBytes(written, name: "back.tcx"))
        let other = try #require(tcx.tracks.first)
        #expect(other.unplaced == line.unplaced)
        #expect(other.totals?.timer == 180 && other.totals?.distance == 1520)
    }

    /// Records of a time, a position and a heart rate; `nil` for what is unknown.
    private static func records(_ all: [(time: UInt32, north: Double?, rate: UInt8?)]) -> [UInt8] {
        let definition: [UInt8] =
            [0x40, 0, 1, 0, 20, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 3, 1, 2]
        return definition
            + all.flatMap { record -> [UInt8] in
                let place = record.north.map { Int32($0 / 180 * 2_147_483_648) }
                return [0] + big(Int32(bitPattern: 1_100_000_000 + record.time)) + big(place ?? .max)
                    + big(place == nil ? .max : 0) + [record.rate ?? 0xFF]
            }
    }

    /// Events of the timer: 0 start, 4 stop all.
    private static func events(_ all: [(time: UInt32, type: UInt8)]) -> [UInt8] {
        [0x41, 0, 1, 0, 21, 3, 253, 4, 0x86, 0, 1, 0, 1, 1, 0]
            + all.flatMap { [1] + big(Int32(bitPattern: 1_100_000_000 + $0.time)) + [0, $0.type] }
    }

    /// What a device writes on a ferry, while its timer stands still, is no part of the activity.
    @Test func recordsWhileTheTimerStandsStill() throws {
        let file = Self.file(
            Self.records([
                (0, 47, 120), (10, 47.0001, 120), (20, 47.1, 60), (30, 47.2, 60), (40, 47.3, 130),
                (50, 47.3001, 130),
            ]) + Self.events([(0, 0), (11, 4), (39, 0), (50, 4)]))
        let document = try FITReader.document(file, "a.fit")
        let line = try #require(document.tracks.first)
        #expect(line.segments.map { $0.map(\.heartRate) } == [[120, 120], [130, 130]])
        #expect(document.doubts == ["2 records while the timer stood still: left out of the activity"])
    }

    /// A session: start, elapsed and timer in milliseconds.
    private static func session(elapsed: Int32, timer: Int32) -> [UInt8] {
        [0x42, 0, 1, 0, 18, 3, 2, 4, 0x86, 7, 4, 0x86, 8, 4, 0x86, 2] + big(1_100_000_000) + big(elapsed)
            + big(timer)
    }

    /// Records at a steady walk, in the same pace.
    private static func steady(_ count: UInt32, every seconds: UInt32) -> [UInt8] {
        var all: [(time: UInt32, north: Double?, rate: UInt8?)] = []
        for index in 0..<count { all.append((index * seconds, 47 + Double(index) / 10_000, 120)) }
        return records(all)
    }

    /// Some devices list the events by kind: a stop belongs to the start after it in time.
    @Test func eventsThatAreSortedByKindMakePauses() throws {
        let bytes =
            Self.events([(61, 4), (241, 4), (0, 0), (179, 0), (359, 0)]) + Self.steady(10, every: 60)
            + Self.session(elapsed: 540_000, timer: 304_000)
        let document = try FITReader.document(Self.file(bytes), "a.fit")
        #expect(document.tracks.flatMap { $0.segments.map(\.count) } == [2, 2, 4])
    }

    /// A file may have as many pauses as records: each record is compared with few of them.
    @Test(.timeLimit(.minutes(1))) func manyPausesTakeTheTimeOfTheirNumber() throws {
        let count: UInt32 = 60_000
        let events = (0..<count).flatMap { index -> [(time: UInt32, type: UInt8)] in
            [(index * 10 + 1, 4), (index * 10 + 9, 0)]
        }
        let bytes = Self.steady(count, every: 10) + Self.events(events)
        let document = try FITReader.document(Self.file(bytes), "a.fit")
        #expect(document.tracks.first?.segments.count == Int(count))
    }

    /// Each record is a part of its own session, however many there are.
    @Test(.timeLimit(.minutes(1))) func manySessionsTakeTheTimeOfTheirNumber() throws {
        let count: Int32 = 3000
        let sessions = (0..<count).flatMap { index in
            [2] + Self.big(1_100_000_000 + index * 100) + Self.big(90_000) + Self.big(90_000)
        }
        let definition: [UInt8] = [0x42, 0, 1, 0, 18, 3, 2, 4, 0x86, 7, 4, 0x86, 8, 4, 0x86]
        let bytes = Self.steady(UInt32(count) * 10, every: 10) + definition + sessions
        let document = try FITReader.document(Self.file(bytes), "a.fit")
        #expect(document.tracks.count == Int(count))
        #expect(document.tracks.allSatisfy { $0.segments.map(\.count) == [10] })
    }

    /// FIT counts times before 1998-07-03 from when the device was switched on.
    @Test func timesThatFITCannotHoldAreNoticed() throws {
        var point = GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2))
        point.time = ISO8601.timestamp("1995-06-06T08:00:00Z")
        let line = GPXLine(segments: [[point]])
        #expect(
            FormatCapacity.fit.losses([line]) == ["time before 1998-07-03: not written for 1 point (FIT)"])
        let bytes = FITWriter.bytes(line) { _ in }
        #expect(try FITReader.document(Data(bytes), "a.fit").tracks[0].segments[0][0].time == nil)
    }

    /// A device that finished its file twice.
    @Test func aSessionThatIsThereTwiceIsOneActivity() throws {
        let session = Self.session(elapsed: 540_000, timer: 540_000)
        let bytes = Self.steady(10, every: 60) + session + session
        let document = try FITReader.document(Self.file(bytes), "a.fit")
        #expect(document.tracks.map(\.pointCount) == [10])
        #expect(document.doubts.contains("1 session with the start of another one: left out"))
    }

    @Test func lapsAreInTheOrderOfTheirStarts() throws {
        func lap(_ start: Int32) -> [UInt8] {
            [0x43, 0, 1, 0, 19, 2, 2, 4, 0x86, 8, 4, 0x86, 3] + Self.big(1_100_000_000 + start)
                + Self.big(60_000)
        }
        let bytes = Self.steady(4, every: 60) + lap(120) + lap(0) + lap(60)
        let line = try #require(try FITReader.document(Self.file(bytes), "a.fit").tracks.first)
        #expect(
            line.laps.compactMap(\.start).map { $0.seconds(since: line.laps[0].start ?? $0) } == [0, 60, 120])
    }

    /// Watches write the moment before midnight, or the start of another lap, for all of them.
    @Test func startsOfLapsThatAreNone() throws {
        func lap(_ start: Int32, end: Int32) -> [UInt8] {
            [0x43, 0, 1, 0, 19, 3, 253, 4, 0x86, 2, 4, 0x86, 7, 4, 0x86, 3]
                + Self.big(1_100_000_000 + end) + Self.big(1_100_000_000 + start) + Self.big(60_000)
        }
        func starts(_ laps: [UInt8]) throws -> [Double] {
            let document = try FITReader.document(Self.file(Self.steady(4, every: 60) + laps), "a.fit")
            let first = try #require(document.tracks.first?.segments.first?.first?.time)
            return document.tracks.flatMap(\.laps).compactMap(\.start).map { $0.seconds(since: first) }
        }
        #expect(try starts(lap(-28_800, end: 60) + lap(-28_800, end: 120)) == [0, 60])
        #expect(try starts(lap(0, end: 60) + lap(0, end: 120)) == [0, 60])
        #expect(try starts(lap(0, end: 60) + lap(60, end: 121)) == [0, 60])
    }

    /// The count of metres of a pool grows at the end of a length only: the lengths say when somebody swam.
    @Test(arguments: [true, false])
    func lengthsSayWhenSomebodySwam(isCounted: Bool) throws {
        func length(_ start: Int32, _ seconds: Int32, _ type: UInt8) -> [UInt8] {
            [0] + Self.big(1_100_000_000 + start) + Self.big(seconds * 1000) + [type]
        }
        let lengths: [UInt8] =
            [0x40, 0, 1, 0, 101, 3, 2, 4, 0x86, 3, 4, 0x86, 12, 1, 0] + length(0, 30, 1) + length(30, 60, 0)
            + length(90, 30, 1)
        let session: [UInt8] =
            [0x42, 0, 1, 0, 18, 3, 2, 4, 0x86, 7, 4, 0x86, 44, 2, 0x84, 2] + Self.big(1_100_000_000)
            + Self.big(120_000) + [UInt8(2500 >> 8), UInt8(2500 & 0xFF)]
        var records: [UInt8] = [0x41, 0, 1, 0, 20, 2, 253, 4, 0x86, 5, 4, 0x86]
        for (time, metres) in [(0, 0), (40, 25), (80, 25), (110, 25), (120, 50)] as [(Int32, Int32)] {
            records += [1] + Self.big(1_100_000_000 + time) + Self.big(isCounted ? metres * 100 : -1)
        }
        let document = try FITReader.document(Self.file(records + lengths + session), "a.fit")
        let line = try #require(document.tracks.first)
        let first = try #require(line.unplaced.first?.time)
        #expect(line.unplaced.map { $0.time.seconds(since: first) } == [0, 30, 40, 80, 90, 110, 120])
        #expect(
            line.unplaced.map { ($0.sensors.distance ?? -1).rounded() } == [0, 25, 25, 25, 25, 42, 50])
    }

    /// Some devices describe a field behind the first records that have it.
    @Test func aDescriptionBehindItsRecords() throws {
        let record: [UInt8] =
            [0x63, 0, 1, 0, 20, 3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 1, 7, 1, 0]
        func data(_ time: Int32, _ rate: UInt8) -> [UInt8] {
            [3] + Self.big(1_100_000_000 + time) + Self.big(500_000_000 + time) + Self.big(90_000_000) + [
                rate
            ]
        }
        // Index 0, number 7, one byte, of records and their heart rate.
        let description: [UInt8] =
            [0x44, 0, 1, 0, 206, 5, 0, 1, 2, 1, 1, 2, 2, 1, 2, 14, 2, 0x84, 15, 1, 2, 4, 0, 7, 2, 0, 20, 3]
        let document = try FITReader.document(
            Self.file(record + data(0, 100) + description + data(10, 110)), "a.fit")
        #expect(document.tracks[0].segments[0].map(\.heartRate) == [100, 110])
        #expect(!document.notices.contains { $0.contains("developer field") })
    }

    /// A strap that was under water sends what it kept: a count of ticks of which twelve bits go on.
    @Test func heartRatesOfAStrapsMemory() throws {
        let first: [UInt8] =
            [0x44, 0, 1, 0, 132, 3, 253, 4, 0x86, 6, 1, 2, 9, 4, 0x86, 4]
            + Self.big(1_100_000_000) + [100] + Self.big(3 * 1024)
        // Ticks of 2 s and 4 s later, the second beyond the turn of twelve bits.
        let (one, two) = (UInt8(5 * 1024 & 0xFF), 5 * 1024 & 0xFFF)
        let next = 7 * 1024 & 0xFFF
        let others: [UInt8] =
            [0x45, 0, 1, 0, 132, 2, 6, 2, 2, 10, 3, 13, 5] + [110, 120]
            + [one, UInt8(two >> 8 | (next & 0xF) << 4), UInt8(next >> 4)]
        let file = Self.file(
            Self.records([
                (0, 47, nil), (2, 47.0001, nil), (4, 47.0002, 99), (5, 47.0003, nil), (60, 47.01, nil),
            ])
                + first + others)
        let document = try FITReader.document(file, "a.fit")
        #expect(document.tracks[0].segments[0].map(\.heartRate) == [100, 110, 99, 120, nil])
        #expect(document.notices.contains("heart rates of a strap's memory: 3, joined with 3 records"))
    }

    /// Where the timer of the device ran for longer than its events say, the events are wrong.
    @Test func recordsWithinAPauseThatTheTimerDoesNotKnowStay() throws {
        func counts(timer: Int32) throws -> [Int] {
            let records = Self.steady(10, every: 60)
            let bytes =
                records + Self.events([(0, 0), (61, 4), (479, 0), (540, 4)])
                + Self.session(elapsed: 540_000, timer: timer)
            return try FITReader.document(Self.file(bytes), "a.fit").tracks.flatMap {
                $0.segments.map(\.count)
            }
        }
        // The pause lasts 418 s.
        #expect(try counts(timer: 122_000) == [2, 2])
        #expect(try counts(timer: 540_000) == [10])
    }

    /// A clock that the device sets back when it has a fix: what it wrote before has no known time.
    @Test func timesBeforeAClockWasSetBackAreUnknown() throws {
        let records = Self.records([(900_000, 47, 120)]) + Self.steady(9, every: 10)
        let document = try FITReader.document(Self.file(records), "a.fit")
        let points = try #require(document.tracks.first).segments.joined()
        #expect(points.map { $0.time == nil } == [true] + Array(repeating: false, count: 9))
        #expect(document.doubts.first?.hasPrefix("the device set its clock back by 10 d") == true)
    }

    /// One time at odds with those around it is no clock that was set.
    @Test(arguments: [700, 4000]) func oneWrongTimeIsNoClock(_ wrong: UInt32) throws {
        var all: [(time: UInt32, north: Double?, rate: UInt8?)] = []
        for index in 0..<UInt32(20) { all.append((1000 + 10 * index, 47 + Double(index) / 10_000, 120)) }
        all[4].time = wrong
        let document = try FITReader.document(Self.file(Self.records(all)), "a.fit")
        let points = try #require(document.tracks.first).segments.joined()
        #expect(points.count { $0.time != nil } >= 19)
        #expect(!document.doubts.contains { $0.contains("clock") }, "\(document.doubts)")
    }

    /// A pool has lengths where other activities have records.
    @Test func lengthsOfAPoolAreAnActivity() throws {
        func length(_ start: Int32, _ seconds: Int32, _ type: UInt8) -> [UInt8] {
            [0x43, 0, 1, 0, 101, 3, 2, 4, 0x86, 3, 4, 0x86, 12, 1, 0, 3] + Self.big(1_100_000_000 + start)
                + Self.big(seconds * 1000) + [type]
        }
        let session: [UInt8] =
            [0x42, 0, 1, 0, 18, 3, 2, 4, 0x86, 5, 1, 0, 44, 2, 0x84, 2] + Self.big(1_100_000_000) + [5]
            + [0x13, 0x88]
        let bytes = length(0, 60, 1) + length(60, 30, 0) + length(90, 60, 1) + session
        let document = try FITReader.document(Self.file(bytes), "a.fit")
        let line = try #require(document.tracks.first)
        #expect(line.type == "swimming")
        #expect(line.unplaced.map(\.sensors.distance) == [0, 50, 50, 100])
        let start = line.unplaced[0].time
        #expect(line.unplaced.map { $0.time.seconds(since: start) } == [0, 60, 90, 150])
        #expect(document.account?.seen == 4)
        // 255 is the value of a field that the device did not set: whether somebody swam is unknown, and so is the way.
        let unknown = length(0, 60, 1) + length(60, 30, 255) + session
        let samples = try FITReader.document(Self.file(unknown), "a.fit").tracks.flatMap(\.unplaced)
        #expect(samples.map(\.sensors.distance) == [nil, nil, nil])
    }

    /// Places that were saved on a device, in a file of their own; another kind of file is named.
    @Test func savedPlacesAndOtherKinds() throws {
        let name = Array("Hut".utf8) + [0]
        let place: [UInt8] =
            [0x40, 0, 1, 0, 29, 4, 0, 4, 7, 1, 4, 0x85, 2, 4, 0x85, 4, 2, 0x84, 0] + name
            + Self.big(536_870_912) + Self.big(-1_073_741_824) + [0x0B, 0xB8]
        let document = try FITReader.document(Self.file(place), "a.fit")
        let hut = try #require(document.waypoints.first)
        #expect(hut.name == "Hut" && hut.coordinate.latitude == 45 && hut.coordinate.longitude == -90)
        // 3000 / 5 − 500.
        #expect(hut.coordinate.altitude == 100)
        // 0x7FFFFFFF is the value of an angle that is not set.
        let lost = Array(place.dropLast(10)) + Self.big(Int32.max) + Self.big(Int32.max) + [0x0B, 0xB8]
        let without = try FITReader.document(Self.file(lost + lost), "a.fit")
        #expect(without.waypoints.isEmpty && without.account?.addsUp == true)
        #expect(without.doubts == ["2 saved places without a position, left out"])
        let settings: [UInt8] = [0x43, 0, 0, 0, 0, 1, 0, 1, 0, 3, 2]
        let other = try FITReader.document(Self.file(settings), "b.fit")
        #expect(other.notices.first == "the file says that it is one of settings, no recording")
    }

    /// The record where one sport ends and the next begins is the last of the one and the first of the other: no way is lost.
    @Test func theRecordBetweenTwoSportsIsOfBoth() throws {
        let records = Self.records([(0, 47, 120), (10, 47.0001, 120), (20, 47.0002, 120), (30, 47.0003, 120)])
        func session(_ start: Int32, _ sport: UInt8, elapsed: Int32) -> [UInt8] {
            [0x42, 0, 1, 0, 18, 3, 2, 4, 0x86, 5, 1, 0, 7, 4, 0x86, 2] + Self.big(1_100_000_000 + start) + [
                sport
            ]
                + Self.big(elapsed)
        }
        func counts(elapsed: Int32) throws -> [[Int]] {
            let bytes = records + session(0, 1, elapsed: elapsed) + session(20, 2, elapsed: 10_000)
            return try FITReader.document(Self.file(bytes), "a.fit").tracks.map { $0.segments.map(\.count) }
        }
        #expect(try counts(elapsed: 20_000) == [[3], [2]])
        // The first one ended before.
        #expect(try counts(elapsed: 12_000) == [[2], [2]])
    }

    /// The timer of the session and its events can contradict each other: which is used is said.
    @Test func aTimerThatContradictsThePausesIsSaid() throws {
        let records = Self.records([
            (0, 47, 120), (10, 47.0001, 120), (700, 47.0002, 130), (710, 47.0003, 130),
        ])
        func doubts(_ events: [(time: UInt32, type: UInt8)], timer: Int32) throws -> [String] {
            let bytes = records + Self.events(events) + Self.session(elapsed: 710_000, timer: timer)
            return try FITReader.document(Self.file(bytes), "a.fit").doubts
        }
        let pause: [(time: UInt32, type: UInt8)] = [(0, 0), (10, 4), (700, 0), (710, 4)]
        #expect(try doubts(pause, timer: 20_000) == [])
        #expect(
            try doubts(pause, timer: 410_000) == [
                "the device's timer stood for 5 min, its pauses last 12 min: the pauses are used, since they say when"
            ])
        #expect(try doubts([], timer: 410_000).first?.contains("no event says when") == true)
        #expect(try doubts([], timer: 710_000) == [])
    }

    /// Some devices write position and heart rate as records of their own.
    @Test func recordsOfOneMomentAreOne() throws {
        let file = Self.file(
            Self.records([(0, 47, nil), (0, nil, 120), (10, 47.0001, nil), (10, nil, 130), (15, nil, 131)]))
        let line = try #require(try FITReader.document(file, "a.fit").tracks.first)
        #expect(line.segments.map { $0.map(\.heartRate) } == [[120, 130]])
        #expect(line.unplaced.map(\.sensors.heartRate) == [131])
    }

    /// A device whose battery ends has not written the size of the data.
    @Test func unfinishedFiles() throws {
        var bytes = Self.file(Self.records([(0, 47, 120), (10, 47.0001, 121)])).dropLast(2)
        bytes.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        let document = try FITReader.document(Data(bytes), "a.fit")
        #expect(document.tracks.first?.pointCount == 2)
        #expect(document.doubts.first?.contains("never finished") == true)
    }

    @Test func brokenFilesAreRefused() throws {
        let good = Self.file(Self.bigEndian)
        func code(_ bytes: Data) -> String? {
            errorThrown { _ = try FITReader.document(bytes, "a.fit") }?.code
        }
        #expect(code(Data()) == "E-FIT-HEADER")
        #expect(code(Data("GPX".utf8)) == "E-FIT-HEADER")
        // What is whole is read, and the damage is said.
        func doubts(_ bytes: Data) -> [String] { (try? FITReader.document(bytes, "a.fit"))?.doubts ?? [] }
        #expect(doubts(good).isEmpty)
        #expect(doubts(good.dropLast()).first?.contains("its header states") == true)
        var claims = good
        claims.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(doubts(claims).first?.contains("its header states") == true)
        var changed = good
        changed[changed.count - 1] ^= 1
        #expect(doubts(changed).first?.contains("checksum") == true)
        var order = Self.bigEndian
        order[2] = 7
        #expect(code(Self.file(order)) == "E-FIT-MESSAGE")
        #expect(code(Self.file([0x03, 1, 2, 3])) == "E-FIT-MESSAGE")
        #expect(
            doubts(Self.file(Array(Self.bigEndian.dropLast(3)))).first?.contains("ends after the data")
                == true)
    }

    /// Any bytes result in a typed error or a document.
    @Test func noBytesCrashTheReader() {
        var random = Xoshiro256(seed: 7)
        for _ in 0..<3000 {
            var messages = Self.bigEndian
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                messages[Int.random(in: 0..<messages.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            let failure = errorThrown { _ = try FITReader.document(Self.file(messages), "a.fit") }
            #expect(failure.map { $0.code.hasPrefix("E-FIT-") } ?? true)
        }
    }

    @Test func sensorsComeBack() throws {
        var random = Xoshiro256(seed: 11)
        let points = (0..<200).map { index -> GPXPoint in
            var point = GPXPoint(
                coordinate: Coordinate(
                    latitude: 46 + Double(index) * 1e-4, longitude: 7.9,
                    altitude: index % 3 == 0 ? nil : 500.2),
                time: Timestamp(milliseconds: 1_770_000_000_000 + Int64(index) * 1000))
            if index % 2 == 0 { point.sensors.heartRate = Double(Int.random(in: 1...254, using: &random)) }
            if index % 5 == 0 {
                point.sensors.cadence = Double(Int.random(in: 0...100, using: &random)) + 0.5
            }
            if index % 7 == 0 { point.sensors.power = 0 }
            point.sensors.temperature = -12
            return point
        }
        let line = GPXLine(type: "hiking", segments: [Array(points[..<90]), Array(points[90...])])
        let back = try FITReader.document(Data(FITWriter.bytes(line) { _ in }), "a.fit").tracks[0]
        #expect(back.type == "hiking")
        #expect(back.segments.map(\.count) == [90, 110])
        for (point, other) in zip(points, back.segments.joined()) {
            #expect(point.sensors == other.sensors)
            #expect(point.time == other.time)
            #expect(point.coordinate.altitude == other.coordinate.altitude)
            #expect(abs(point.coordinate.latitude - other.coordinate.latitude) < 1e-7)
        }
    }

    /// Both ends of the range of longitudes; the poles are within that of a whole number.
    @Test(arguments: [-180.0, 180]) func theAntimeridianComesBackFromFIT(longitude: Double) throws {
        let points = [0.0, 1].map {
            GPXPoint(
                coordinate: Coordinate(latitude: $0, longitude: longitude),
                time: Timestamp(milliseconds: 1_770_000_000_000 + Int64($0) * 1000))
        }
        let line = GPXLine(type: "hiking", segments: [points])
        let back = try FITReader.document(Data(FITWriter.bytes(line) { _ in }), "a.fit").tracks[0]
        #expect(back.segments.map(\.count) == [2])
        for point in back.segments.joined() {
            #expect(180 - abs(point.coordinate.longitude) < 1e-6)
        }
    }

    @Test func joinedLinesAreNoticed() {
        let line = GPXLine(segments: [[GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2))]])
        #expect(FormatCapacity.community.losses([line, line]) == ["2 lines: joined to one (community JSON)"])
        #expect(FormatCapacity.community.losses([line]).isEmpty)
    }

    @Test func whatFITCannotHoldIsNoticed() {
        var point = GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2, altitude: 0.1), name: "Hut")
        point.sensors.course = 12
        point.sensors.heartRate = 99.5
        let line = GPXLine(name: "Walk", type: "pilgrimage", segments: [[point]])
        #expect(
            FormatCapacity.fit.losses([line], waypoints: [point]) == [
                "points without a time: omitted for 1 point (FIT)", "heart rate: rounded for 1 point (FIT)",
                "course: not written for 1 point (FIT)", "elevation: rounded for 1 point (FIT)",
                "names and texts: not written for 1 point (FIT)", "1 waypoint: not written (FIT)",
                "the name: not written (FIT)", "the activity pilgrimage: not written (FIT)",
            ])
    }
}
