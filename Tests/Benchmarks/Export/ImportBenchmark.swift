import CXml
import CivilTime
import ExportPlugin
import Formats
import Foundation
import Geodesy
import HikesPlugin
import PluginKit
import PluginTestKit

/// Measures imports of long recordings: reading the file, and the whole `import`, including storing.
struct ImportBenchmark {
    /// Points of the files: one per second for six days.
    private static let points = 500_000
    private static let rounds = 3
    /// Maximum time for reading, as a multiple of the reference.
    private static let mostTimes = 4.0
    /// Minimum points of a FIT file read per second.
    private static let fitRate = 1e6
    /// Maximum additional peak memory, as a multiple of the points in memory.
    private static let mostMemory = 3.0

    func run() async throws {
        let folder = try TemporaryFolder()
        print("a point in memory: \(Self.pointSize) bytes, plus its strings")
        for (what, hasSensors) in [("elevations and times", false), ("heart rates and cadences too", true)] {
            let line = Self.line(hasSensors: hasSensors)
            let gpx = folder.url.appendingPathComponent(hasSensors ? "sensors.gpx" : "plain.gpx")
            let fit = folder.url.appendingPathComponent(hasSensors ? "sensors.fit" : "plain.fit")
            var document = GPXDocument()
            document.tracks = [line]
            try Data(GPXWriter.bytes(document) { _ in }).write(to: gpx)
            try Data(FITWriter.bytes(line) { _ in }).write(to: fit)
            print("\n\(Self.points) points, \(what)")
            try await Self.measure(gpx, fit)
            try Self.memory(folder.url, [gpx, fit])
        }
    }

    private static func measure(_ gpx: URL, _ fit: URL) async throws {
        let bare = try best { try elements(gpx) }
        print(
            "reference: libxml2's bare parse, \(try size(gpx)) MB, \(bare.value) elements: \(ms(bare.seconds))"
        )
        let reading = try best { try GPXReader.document(gpx).tracks[0].pointCount }
        print(
            "GPX read: \(ms(reading.seconds)), \(times(reading.seconds, bare.seconds)) the reference "
                + verdict(reading.seconds <= mostTimes * bare.seconds, "\(mostTimes)×"))
        let whole = try await imported(gpx)
        print(
            "import, GPX: \(ms(whole.clock)) by the clock, \(times(whole.clock, bare.seconds)) the reference "
                + verdict(whole.clock <= mostTimes * bare.seconds, "\(mostTimes)×")
                + ", of processor time \(ms(whole.processor)), \(times(whole.processor, bare.seconds))")
        let decoding = try best { try FITReader.document(fit).tracks[0].pointCount }
        print(
            "FIT read, \(try size(fit)) MB: \(ms(decoding.seconds)), \(rate(decoding.seconds)) points a second "
                + verdict(Double(points) / decoding.seconds >= fitRate, "1 M"))
        let wholeFIT = try await imported(fit)
        print(
            "import, FIT: \(ms(wholeFIT.clock)) by the clock, \(rate(wholeFIT.clock)) points a second "
                + verdict(Double(points) / wholeFIT.clock >= fitRate, "1 M")
                + ", of processor time \(ms(wholeFIT.processor))")
    }

    /// The time of a whole import including storing, into an empty workspace. It temporarily uses two
    /// threads: on an idle machine its wall-clock time is less than its processor time.
    private static func imported(_ file: URL) async throws -> (clock: Double, processor: Double) {
        var least = (clock: Double.infinity, processor: Double.infinity)
        for _ in 0..<rounds {
            let test = try TestSession(plugins: { [HikesPlugin()] })
            _ = try await test.value("clock")
            let (clock, processor) = (now(CLOCK_MONOTONIC), now())
            try await test.value("import '\(file.path)' --name Long")
            least = (min(least.clock, now(CLOCK_MONOTONIC) - clock), min(least.processor, now() - processor))
        }
        return least
    }

    private static func memory(_ folder: URL, _ files: [URL]) throws {
        for file in files {
            let workspace = folder.appendingPathComponent("ws-\(file.lastPathComponent)")
            guard let program = WholeProgram(workspace: workspace) else {
                return print("memory: not measured; build rutter beside this program first")
            }
            let base = try program.peakMemory(of: "1 + 1")
            let peak = try program.peakMemory(of: "import '\(file.path)' --name Long")
            let own = pointSize * points
            let ratio = Double(peak - base) / Double(own)
            print(
                "memory, import \(file.lastPathComponent): \(peak >> 20) MB, less \(base >> 20) MB after 1 + 1 are "
                    + "\((ratio * 100).rounded() / 100)× the points' \(own >> 20) MB, \((peak - base) / points) bytes a point "
                    + verdict(ratio <= mostMemory, "\(mostMemory)×"))
        }
    }

    // MARK: Data

    private static let pointSize = MemoryLayout<GPXPoint>.stride

    /// A walk with the noise of a receiver, so that no two steps are alike.
    private static func line(hasSensors: Bool) -> GPXLine {
        var random = Xoshiro256(seed: 1)
        let start = Timestamp(milliseconds: 1_770_000_000_000)
        let segment = (0..<points).map { index -> GPXPoint in
            let way = Double(index)
            func noise(_ size: Double) -> Double { .random(in: -size...size, using: &random) }
            func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
            var point = GPXPoint(
                coordinate: Coordinate(
                    latitude: rounded(46.5 + sin(way / 20_000) * 0.3 + noise(1e-5), 1e7),
                    longitude: rounded(7.9 + sin(way / 31_000) * 0.4 + noise(1e-5), 1e7),
                    altitude: rounded(1_200 + sin(way / 4_000) * 600 + noise(1), 5)),
                time: start.advanced(bySeconds: way))
            if hasSensors {
                point.sensors.heartRate = (130 + sin(way / 600) * 20 + noise(2)).rounded()
                point.sensors.cadence = (60 + noise(3)).rounded()
            }
            return point
        }
        return GPXLine(name: "Long", type: "hiking", segments: [segment])
    }

    /// The number of elements found by libxml2 without further processing.
    private static func elements(_ url: URL) throws -> Int {
        var count = 0
        try withUnsafeMutablePointer(to: &count) { count in
            let handlers = cxml_handlers(
                start: { user, _, _, _, _ in user?.assumingMemoryBound(to: Int.self).pointee += 1 },
                text: { _, _, _ in }, end: { _ in })
            let parser = cxml_create(handlers, count)
            defer { cxml_free(parser) }
            let file = try FileHandle(forReadingFrom: url)
            while let data = try file.read(upToCount: 256 << 10), !data.isEmpty {
                data.withUnsafeBytes { raw in
                    _ = cxml_feed(
                        parser, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(raw.count), 0)
                }
            }
            _ = cxml_feed(parser, nil, 0, 1)
        }
        return count
    }

    // MARK: Measuring

    /// The minimum processor time of a few rounds, which is independent of other programs.
    private static func best<T>(_ work: () throws -> T) rethrows -> (value: T, seconds: Double) {
        var start = now()
        var value = try work()
        var least = now() - start
        for _ in 1..<rounds {
            start = now()
            value = try work()
            least = min(least, now() - start)
        }
        return (value, least)
    }

    private static func now(_ clock: clockid_t = CLOCK_PROCESS_CPUTIME_ID) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func size(_ url: URL) throws -> Int { try Data(contentsOf: url).count >> 20 }
    private static func ms(_ seconds: Double) -> String { "\(Int((seconds * 1e3).rounded())) ms" }
    private static func times(_ a: Double, _ b: Double) -> String { "\((a / b * 100).rounded() / 100)×" }
    private static func rate(_ seconds: Double) -> String {
        "\((Double(points) / seconds / 1e4).rounded() / 100) M"
    }
    private static func verdict(_ holds: Bool, _ goal: String) -> String {
        holds ? "(goal \(goal): met)" : "(goal \(goal): MISSED)"
    }
}
