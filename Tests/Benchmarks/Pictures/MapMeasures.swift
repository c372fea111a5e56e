import Cartography
import Foundation
import Geodesy
import Pictures

/// Times of a region's map compared with their goals.
///
/// Goals refer to processor time, which depends less on other programs than clock time; both are printed.
struct MapMeasures {
    let region: URL
    let extract: URL?

    private static let size = SceneSize(width: 1280, height: 800)
    private static let pictureZooms = [10.0, 12, 14, 16]
    private static let tileZooms = 8...15
    private static let runs = 9

    private enum Goals {
        /// Milliseconds for a picture, once everything is loaded.
        static let picture = 150.0
        /// Milliseconds for a tile of 256 pixels, median.
        static let tile = 15.0
        /// Seconds for all tiles, two at a time.
        static let tiles = 120.0
        /// Bytes of a region per byte of its source file.
        static let growth = 3.0
    }

    func run() throws {
        let source = try MapSource(region)
        guard let bounds = source.bounds else {
            print("the region has no box")
            exit(1)
        }
        try size()
        for zoom in Self.pictureZooms {
            let view = MapView(center: bounds.center, zoom: zoom, size: Self.size)
            let cold = try Self.measured { _ = try MapSource(region).png(view) }
            let times = try (0..<Self.runs).map { _ in try Self.measured { _ = try source.png(view) } }
            let again = try source.png(view) == MapSource(region).png(view)
            print(
                "1280 × 800 at zoom \(Int(zoom)): \(Self.words(times)), first \(Self.text(cold.processor)); "
                    + "\(again ? "reproducible" : "NOT REPRODUCIBLE")"
                    + Self.goal("< 150 ms", Self.median(times.map(\.processor)) < Goals.picture))
        }
        try tiles(source, bounds)
        try file(source, bounds)
    }

    private func size() throws {
        guard let extract else { return }
        func bytes(_ url: URL) throws -> Double {
            Double(try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
        }
        let growth = try bytes(region) / bytes(extract)
        print(
            "region file: \(Int(try bytes(region)) >> 10) KiB, \(Self.text(growth)) × its extract"
                + Self.goal("≤ 3 ×", growth <= Goals.growth))
    }

    private func tiles(_ source: MapSource, _ bounds: BoundingBox) throws {
        let pyramid = try TilePyramid(area: bounds, zooms: Self.tileZooms)
        var all: [Time] = []
        for zoom in Self.tileZooms {
            let times = try pyramid.tiles(zoom).map { tile in
                try Self.measured { _ = try source.tile(z: zoom, x: tile.x, y: tile.y) }
            }
            print("  \(times.count) tiles of zoom \(zoom): \(Self.words(times))")
            all += times
        }
        print(
            "\(all.count) tiles of 256 pixels: \(Self.words(all))"
                + Self.goal("< 15 ms", Self.median(all.map(\.processor)) < Goals.tile))
    }

    private func file(_ source: MapSource, _ bounds: BoundingBox) throws {
        let pyramid = try TilePyramid(area: bounds, zooms: Self.tileZooms)
        let out = FileManager.default.temporaryDirectory.appendingPathComponent(
            "pictures-bench-\(getpid()).mbtiles")
        defer { try? FileManager.default.removeItem(at: out) }
        let time = try Self.measured(CLOCK_PROCESS_CPUTIME_ID) {
            _ = try TileFileWriter(source, pyramid, name: "bench", style: .builtIn(.light)).write(
                to: out, force: true)
        }
        let size = try out.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        // Two cores share the work if the machine is idle.
        let seconds = time.processor / 2000
        print(
            "MBTiles of zooms 8–15: \(pyramid.count) tiles, \(size >> 20) MiB, \(Self.text(time.clock / 1000)) s on the clock, "
                + "\(Self.text(seconds)) s of each of two processors"
                + Self.goal("< 120 s", seconds < Goals.tiles))
    }

    // MARK: Time

    struct Time {
        /// Milliseconds of processor time.
        var processor: Double
        /// Milliseconds on the clock.
        var clock: Double
    }

    static func measured(
        _ clock: clockid_t = CLOCK_THREAD_CPUTIME_ID, _ body: () throws -> Void
    ) rethrows -> Time {
        func now(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
        }
        let (processor, wall) = (now(clock), now(CLOCK_MONOTONIC))
        try body()
        return Time(processor: now(clock) - processor, clock: now(CLOCK_MONOTONIC) - wall)
    }

    static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

    private static func words(_ times: [Time]) -> String {
        "median \(text(median(times.map(\.processor)))) ms of processor time (\(text(median(times.map(\.clock)))) on the clock)"
    }

    private static func text(_ number: Double) -> String { String(format: "%.1f", number) }
    private static func goal(_ text: String, _ isMet: Bool) -> String {
        "; goal \(text): \(isMet ? "met" : "MISSED")"
    }
}
