import CivilTime
import ExportPlugin
import Foundation
import Geodesy
import Photos
import Pictures
import PluginKit
import PluginTestKit
import TrailStores

/// Measures exports of a long hike and of one with photos, through the commands that a user types.
struct ExportBenchmark {
    /// Points of the long hike: one per second for more than a day.
    private static let points = 100_000
    private static let photos = 10
    private static let rounds = 3

    func run() async throws {
        let test = try TestSession(plugins: { [ExportPlugin(), StoredHikes()] })
        // The first command creates the workspace.
        _ = try await test.value("clock")
        let workspace = test.folder.url.appendingPathComponent("workspace")
        let long = Self.track(Self.points)
        let hikes = try HikeStore(workspace.appendingPathComponent("routes.db"), access: .own)
        try Self.insert("Long", long, id: 1, into: hikes)
        try Self.insert("Short", Self.track(5_000), id: 2, into: hikes)
        let waypoints = try WaypointStore(workspace.appendingPathComponent("waypoints.db"), access: .own)
        try Self.addPhotos(to: waypoints, hike: Self.identifier(2), along: Self.track(5_000))

        let naive = Self.best { Self.naiveGPX(long).count }
        print("reference: \(Self.points) points as GPX with printf, in memory: \(Self.ms(naive.seconds))")
        for (format, goal) in [
            ("gpx", 1.0), ("geojson", nil), ("kml", nil), ("community", nil), ("markdown", nil),
        ] {
            let time = try await Self.best {
                try await test.value("export long Long --as \(format) --force")
            }
            print("\(Self.points) points to \(format), to a file: \(Self.line(time, naive.seconds, goal))")
        }
        let map = try await Self.best { try await test.value("export long.pdf Long --force") }
        print("PDF of \(Self.points) points: \(Self.line(map, naive.seconds, nil))")

        let pictures = try waypoints.waypoints(ofHike: Self.identifier(2)).compactMap {
            try waypoints.photo(of: $0.id).photo
        }
        let shrunk = try Self.best {
            try pictures.map { try Photos.uprightJPEG($0, longestSide: 1000).count }.count
        }
        print(
            "reference: the \(shrunk.value) photos alone scaled to 1000 pixels: \(Self.ms(shrunk.seconds))")
        let time = try await Self.best { try await test.value("export short.pdf Short --force") }
        let size = try Data(contentsOf: test.folder.url.appendingPathComponent("short.pdf")).count
        print("PDF of \(Self.photos) photos of 12 megapixels: \(Self.line(time, shrunk.seconds, 2))")
        print("its size: \(size / 1024) KB \(Self.verdict(size < 10 << 20, "10 MB"))")
        try Self.memory(workspace, test.folder.url)
    }

    /// The peak memory of the whole program, built beside this one by `swift build -c release`.
    private static func memory(_ workspace: URL, _ folder: URL) throws {
        guard let program = WholeProgram(workspace: workspace) else {
            print("memory: not measured; build rutter beside this program first")
            return
        }
        let base = try program.peakMemory(of: "1 + 1")
        print("reference: memory of the program after 1 + 1: \(base >> 20) MB")
        let file = folder.appendingPathComponent("out").path
        for (what, entry) in [
            ("\(points) points to gpx", "export '\(file)' Long --as gpx"),
            ("PDF of \(points) points", "export '\(file)' Long --as pdf"),
            ("PDF of \(photos) photos", "export '\(file)' Short --as pdf"),
        ] {
            let peak = try program.peakMemory(of: "\(entry) --force")
            let ratio = (Double(peak) / Double(base) * 10).rounded() / 10
            print(
                "memory, \(what): \(peak >> 20) MB, \(ratio)× the reference \(verdict(peak < 200 << 20, "200 MB"))"
            )
        }
    }

    // MARK: Data

    static func identifier(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
    }

    static func track(_ count: Int) -> [TrackPoint] {
        (0..<count).map { index in
            let way = Double(index)
            return TrackPoint(
                coordinate: Coordinate(
                    latitude: 46.5 + way * 2e-6 + sin(way / 90) * 1e-4,
                    longitude: 7.9 + sin(way / 2_000) * 0.02,
                    altitude: 1_200 + sin(way / 4_000) * 600),
                time: Timestamp(milliseconds: 1_770_000_000_000 + Int64(index) * 1_000))
        }
    }

    static func insert(_ name: String, _ points: [TrackPoint], id: Int, into store: HikeStore) throws {
        guard let statistics = HikeStatistics(segments: [points]) else { return }
        let hike = Hike(
            id: identifier(id), name: name, statistics: statistics, now: Timestamp(milliseconds: 0))
        try store.insert(hike, track: points)
    }

    private static func addPhotos(to store: WaypointStore, hike: UUID, along points: [TrackPoint]) throws {
        for number in 0..<photos {
            let point = points[number * points.count / photos]
            let waypoint = Waypoint(
                id: identifier(100 + number), coordinate: point.coordinate,
                timestamp: point.time ?? Timestamp(milliseconds: 0),
                label: "Photo \(number + 1)", rawCategory: "viewpoint", note: "A view from the way.",
                hasPhoto: true,
                hikeID: hike)
            try store.insert(waypoint, photo: WaypointPhoto(photo: try photo(number), thumbnail: nil))
        }
    }

    /// A picture of 4000 × 3000 pixels with much detail.
    static func photo(_ number: Int) throws -> Data {
        var random = Xoshiro256(seed: UInt64(number + 1))
        var scene = Scene(size: SceneSize(width: 1000, height: 750), background: Color(0x88AACC))
        for _ in 0..<4_000 {
            let center = ScenePoint(
                .random(in: 0...1000, using: &random), .random(in: 0...750, using: &random))
            let color = Color(UInt32.random(in: 0...0xFFFFFF, using: &random))
            scene.add(
                .circle(
                    center: center, radius: .random(in: 1...12, using: &random),
                    fill: Fill(color, opacity: 0.7),
                    stroke: nil))
        }
        return try Photos.uprightJPEG(try ScenePNG.render(scene, scale: 4))
    }

    /// The same file with printf, for comparison.
    private static func naiveGPX(_ points: [TrackPoint]) -> String {
        var text = "<gpx><trk><trkseg>\n"
        for point in points {
            let place = point.coordinate
            let time = point.time.map { ISO8601.text($0) } ?? ""
            text += String(
                format: "<trkpt lat=\"%.7f\" lon=\"%.7f\"><ele>%.2f</ele>", place.latitude, place.longitude,
                place.altitude ?? 0)
            text += "<time>\(time)</time></trkpt>\n"
        }
        return text + "</trkseg></trk></gpx>\n"
    }

    // MARK: Measuring

    private static func best<T>(_ work: () throws -> T) rethrows -> (value: T, seconds: Double) {
        var value = try work()
        var least = Double.infinity
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            value = try work()
            least = min(least, seconds(since: start))
        }
        return (value, least)
    }

    private static func best(_ work: () async throws -> Void) async rethrows -> Double {
        var least = Double.infinity
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            try await work()
            least = min(least, seconds(since: start))
        }
        return least
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        let time = (ContinuousClock.now - start).components
        return Double(time.seconds) + Double(time.attoseconds) / 1e18
    }

    private static func ms(_ seconds: Double) -> String { "\((seconds * 1e4).rounded() / 10) ms" }

    private static func line(_ seconds: Double, _ reference: Double, _ goal: Double?) -> String {
        let ratio = (seconds / reference * 100).rounded() / 100
        return "\(ms(seconds)), \(ratio)× the reference"
            + (goal.map { " " + verdict(seconds < $0, "\($0) s") } ?? "")
    }

    private static func verdict(_ holds: Bool, _ goal: String) -> String {
        holds ? "(goal \(goal): met)" : "(goal \(goal): MISSED)"
    }
}
