import CivilTime
import ExportPlugin
import Foundation
import HikesPlugin
import Photos
import Pictures
import PluginKit
import PluginTestKit
import TrailStores

/// Measures the report of a week: seven hikes with forty photos of twelve megapixels, as one PDF.
struct WeekBenchmark {
    private static let days = 7
    private static let photos = 40
    /// Number of different photos; each is used several times.
    private static let motifs = 8
    private static let rounds = 3
    private static let mostSeconds = 2.0
    private static let mostBytes = 15 << 20

    func run() async throws {
        let test = try TestSession(plugins: { [ExportPlugin(), HikesPlugin()] })
        _ = try await test.value("clock")
        let workspace = test.folder.url.appendingPathComponent("workspace")
        let hikes = try HikeStore(workspace.appendingPathComponent("routes.db"), access: .own)
        let waypoints = try WaypointStore(workspace.appendingPathComponent("waypoints.db"), access: .own)
        let pictures = try Self.pictures()
        for day in 0..<Self.days {
            let track = ExportBenchmark.track(5_000 + day * 700)
            try ExportBenchmark.insert("Day \(day + 1)", track, id: day + 1, into: hikes)
            for number in stride(from: day, to: Self.photos, by: Self.days) {
                let point = track[number * track.count / Self.photos]
                let waypoint = Waypoint(
                    id: ExportBenchmark.identifier(100 + number), coordinate: point.coordinate,
                    timestamp: point.time ?? Timestamp(milliseconds: 0), label: "Photo \(number + 1)",
                    rawCategory: "viewpoint", note: "A view from the way.", hasPhoto: true,
                    hikeID: ExportBenchmark.identifier(day + 1))
                try waypoints.insert(
                    waypoint, photo: WaypointPhoto(photo: pictures[number % pictures.count], thumbnail: nil))
            }
        }
        let bytes = pictures.reduce(0) { $0 + $1.count } / pictures.count
        print("\n\(Self.days) hikes, \(Self.photos) photos of 12 megapixels and \(bytes >> 10) KB each")
        var least = (wall: Double.infinity, processor: Double.infinity)
        for _ in 0..<Self.rounds {
            let (wall, processor) = (Self.now(CLOCK_MONOTONIC), Self.now(CLOCK_PROCESS_CPUTIME_ID))
            try await test.value("hike list | export week.pdf --force")
            least.wall = min(least.wall, Self.now(CLOCK_MONOTONIC) - wall)
            least.processor = min(least.processor, Self.now(CLOCK_PROCESS_CPUTIME_ID) - processor)
        }
        let start = Self.now(CLOCK_PROCESS_CPUTIME_ID)
        for number in 0..<Self.photos {
            _ = try Photos.uprightJPEG(pictures[number % pictures.count], longestSide: 1000)
        }
        let alone = Self.now(CLOCK_PROCESS_CPUTIME_ID) - start
        print("reference: the photos alone scaled to 1000 pixels: \(Self.ms(alone)) of processor time")
        print(
            "PDF of the week: \(Self.ms(least.wall)), \(Self.ms(least.processor)) of processor time "
                + Self.verdict(least.processor <= Self.mostSeconds, "2 s"))
        let size = try Data(contentsOf: test.folder.url.appendingPathComponent("week.pdf")).count
        print("its size: \(size >> 10) KB \(Self.verdict(size <= Self.mostBytes, "15 MB"))")
    }

    /// Drawn pictures and, if the optional folder of real data exists, a phone's photo: real photos decode at
    /// another speed than drawn ones.
    private static func pictures() throws -> [Data] {
        var found = try (0..<motifs).map { try ExportBenchmark.photo($0) }
        let phone = URL(fileURLWithPath: "../shared/data/photos/heic_IMG_5195.HEIC")
        if let data = try? Data(contentsOf: phone) {
            let photo = try Photos.uprightJPEG(data)
            for index in stride(from: 0, to: found.count, by: 2) { found[index] = photo }
            print("half of the photos are one of a phone, \(photo.count >> 10) KB")
        }
        return found
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func ms(_ seconds: Double) -> String { "\(Int((seconds * 1e3).rounded())) ms" }
    private static func verdict(_ holds: Bool, _ goal: String) -> String {
        holds ? "(goal \(goal): met)" : "(goal \(goal): MISSED)"
    }
}
