import Archives
import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Files of one walk in every format, damaged at random places: whatever is still read holds what every recording holds, and
/// whatever is stored comes back as it was read.
@Suite struct DamagedRecordingTests {
    /// The first piece of a small file that is cut holds the fault, too.
    @Test func aSmallCompressedFileThatIsCut() throws {
        let packed = try #require(
            Data(
                base64Encoded:
                    "H4sIAAAAAAACA4XVTWqEQBCG4auI+2h/1f+hx1NklV0WMgwxyTAjIcePCqkUJFRBYyvK0xtfqp2vX93nfLtfPt5PPQb0U1tvr8fl"
                    + "Pp+P/bp2y8t66kMe4Jzru2X/tgy0P0xtXuYpOtfG/aatl7d5Ikfpwe3ryZVH57b13Mbj1bbt4j9wFjA8w9BhmDCCgCkxTDpMJkwQ"
                    + "sK8Mex32NlwEHInhoMPBhH0UcIoMRx2OJhxIwLkwnHQ42XAVcAXDWYezCcf0C2/HMFx0uJhw8gJGZrjqcDXhLMqD5/Kglwe7vCzK"
                    + "Q+DyoJcHu7wiykPk8qCXB7u8KspD4vKglwe7vCrKQ+HyoJcHs7ztfxNw5fKglwezPEA="
            ))
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.gpx.gz")
        try packed.write(to: url)
        let file = try TrackFile(url, check: {})
        #expect(file.lines.map(\.pointCount) == [16])
        #expect(file.lines.first?.doubts.first?.contains("what could be unpacked was read") == true)
    }

    private static let formats = ["gpx", "tcx", "kml", "geojson", "fit", "csv", "nmea"]
    private static let seeds = 40
    private static let start = Timestamp(milliseconds: 1_783_152_000_000)

    /// 30 points, 20 s apart, 3 m higher each, in two segments.
    private static let line: GPXLine = {
        let points = (0..<30).map { index in
            var point = GPXPoint(
                coordinate: Coordinate(
                    latitude: 46.5 + 0.0003 * Double(index), longitude: 10.2,
                    altitude: 580 + 3 * Double(index)),
                time: start.advanced(bySeconds: 20 * Double(index)))
            point.heartRate = 100 + Double(index)
            return point
        }
        return GPXLine(name: "Walk", type: "hiking", segments: [Array(points[..<20]), Array(points[20...])])
    }()

    private static func whole(_ format: String) -> [UInt8] {
        var map = MapDocument()
        map.features = [.line(line, .track, id: nil)]
        switch format {
        case "gpx":
            var document = GPXDocument()
            document.tracks = [line]
            return GPXWriter.bytes(document) { _ in }
        case "tcx": return TCXWriter.bytes([line]) { _ in }
        case "kml": return KMLWriter.bytes(map) {}
        case "geojson": return GeoJSONWriter.bytes(map) {}
        case "fit": return FITWriter.bytes(line) { _ in }
        case "csv":
            let rows = line.segments.joined().map { point in
                let time = point.time.map { ISO8601.text($0) } ?? ""
                return "\(time),\(point.coordinate.latitude),\(point.coordinate.longitude)"
                    + ",\(point.coordinate.altitude ?? 0),\(point.heartRate ?? 0)"
            }
            return Array((["time,lat,lon,ele,hr"] + rows).joined(separator: "\n").utf8)
        default:
            return Array(
                line.segments.joined().enumerated().map { index, point in
                    let seconds = index * 20
                    let clock = "08\(two(seconds / 60))\(two(seconds % 60))"
                    let minutes = (point.coordinate.latitude - 46) * 60
                    let body = "GPRMC,\(clock),A,46\(minutes),N,01012.000,E,,,040726,,"
                    return "$\(body)*\(hexadecimal(body.utf8.reduce(0, ^)))\r\n"
                }.joined().utf8)
        }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// A few bytes changed, taken out, repeated or cut off.
    private static func damaged(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard bytes.count > 40 else { break }
            let place = Int.random(in: 0..<bytes.count - 20, using: &random)
            let length = Int.random(in: 1...20, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &random)
            case 2: bytes.removeSubrange(place..<place + length)
            case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
            default:
                if place > bytes.count / 2 { bytes.removeSubrange(place...) }
            }
        }
        return bytes
    }

    @Test(arguments: formats) func aWholeFileIsReadWhole(format: String) throws {
        let file = try TrackFile(SourceBytes(Self.whole(format), name: "walk.\(format)"))
        let points = file.lines.flatMap { $0.segments.joined() }
        #expect(points.count == 30)
        #expect(points.last?.time == Self.start.advanced(bySeconds: 580))
        if let account = file.document.account { #expect(account.words == "30 points: 30 used") }
    }

    @Test(arguments: formats) func whatIsReadOfADamagedFileHolds(format: String) throws {
        let whole = Self.whole(format)
        let folder = try TemporaryFolder()
        let store = try HikeStore(folder.url.appendingPathComponent("routes.db"), access: .own)
        var kept: [UUID: Recording] = [:]
        var refused = 0
        for seed in 0..<Self.seeds {
            var random = SplitMix(seed: UInt64(seed))
            let bytes = Self.damaged(whole, &random)
            guard let file = try? TrackFile(SourceBytes(bytes, name: "walk.\(format)")) else {
                refused += 1
                continue
            }
            if let account = file.document.account {
                #expect(account.addsUp, "\(format), seed \(seed): \(account.words)")
            }
            for read in file.lines {
                var line = read
                // What was said of the file is kept beside the line, as notices.
                line.doubts = []
                let recording = Recording(
                    line: line, origin: .init(file: "walk.\(format)", format: format, sha256: nil))
                guard let statistics = HikeStatistics(segments: recording.segments) else { continue }
                check(line, statistics, "\(format), seed \(seed)")
                let number = String(format: "%012x", kept.count)
                let id = try #require(UUID(uuidString: "00000000-0000-4000-8000-\(number)"))
                try store.insertAll([
                    (Hike(id: id, name: "Walk", statistics: statistics, now: Self.start), recording)
                ])
                kept[id] = recording
            }
        }
        // Damage of a few bytes does not refuse whole files, except of formats that are read as a whole.
        #expect(refused < Self.seeds / 2 || ["kml", "geojson"].contains(format))
        for hike in try store.all() {
            let back = try store.recording(of: hike)
            #expect(back == kept[hike.id])
        }
    }

    private func check(_ line: GPXLine, _ statistics: HikeStatistics, _ place: Comment) {
        for point in line.segments.joined() {
            #expect(point.coordinate.isValid, place)
            if let height = point.coordinate.altitude { #expect((-500...15_000).contains(height), place) }
            if let rate = point.heartRate { #expect((20...250).contains(rate), place) }
        }
        #expect(statistics.walkingTime >= 0 && statistics.restingTime >= 0, place)
        if let start = statistics.startTime, let end = statistics.endTime {
            let elapsed = end.seconds(since: start)
            #expect(abs(statistics.walkingTime + statistics.restingTime - elapsed) < 0.001, place)
        } else {
            #expect(statistics.walkingTime == 0, place)
        }
        let net = line.segments.reduce(0.0) { sum, segment in
            let heights = segment.compactMap(\.coordinate.altitude)
            return sum + (heights.last ?? 0) - (heights.first ?? 0)
        }
        let climbed = statistics.gain - statistics.loss
        #expect(abs(climbed - net) < 0.001, place)
        #expect(statistics.timedDistance <= statistics.distance + 0.001, place)
    }

    /// A change within one point changes at most that point.
    @Test(arguments: ["gpx", "csv", "tcx"]) func damageWithinAPointIsOfThatPointAlone(format: String) throws {
        let whole = String(decoding: Self.whole(format), as: UTF8.self)
        let right = Self.line.segments.joined().map(\.coordinate)
        for seed in 0..<Self.seeds {
            var random = SplitMix(seed: UInt64(1000 + seed))
            let point = Int.random(in: 1..<29, using: &random)
            let latitude = "\(46.5 + 0.0003 * Double(point))".prefix(7)
            guard let found = whole.range(of: latitude) else { continue }
            let values = ["x", "999", "-", "nan", "1e400", "0x1p5", "46,5", ""]
            let value = values[Int.random(in: 0..<values.count, using: &random)]
            let text = whole.replacingCharacters(in: found, with: value)
            let file = try TrackFile(SourceBytes(Array(text.utf8), name: "walk.\(format)"))
            let read = file.lines.flatMap { $0.segments.joined() }.map(\.coordinate)
            let others = right.enumerated().filter { $0.offset != point }.map(\.element)
            let isWhole = others.allSatisfy(read.contains)
            #expect(isWhole, "\(format), seed \(seed): \(value)")
            #expect(read.count <= 30, "\(format), seed \(seed): \(value)")
        }
    }
}
