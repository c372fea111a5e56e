import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Workbench

@testable import rutter

/// Workspaces and foreign stores for the test of the active store, made by the commands themselves.
struct StoreSample: Sendable {
    /// A filled workspace with the files that commands name beside it.
    let own: TemporaryFolder
    /// A foreign store of each kind, by the kind's name.
    let foreign: TemporaryFolder

    /// Whether the plugins are there whose commands are called, and the libraries that make their stores.
    static let hasAllPlugins =
        PluginFolders.have(
            "Beacons", "Export", "Guidance", "Hikes", "Places", "Routing", "Stores", "Sync", "Transit",
            "Waypoints")
        && [NativeLibrary.archive, .photos, .xml, .zlib].allSatisfy(\.isAvailable)

    /// The workspace's folder below a session's.
    static let workspace = "workspace"

    init() async throws {
        own = try await Self.filled(
            shift: 0, elevation: " --elevation N00E000.hgt", halt: "Station", height: 500, tone: "1200Hz")
        let other = try await Self.filled(
            shift: 0.002, elevation: "", halt: "Halt", height: 700, tone: "900Hz")
        foreign = try TemporaryFolder()
        for kind in StoreKind.allCases { _ = try Self.takeOut(kind, of: other.url, into: foreign.url) }
    }

    /// The kinds as they can be opened: each for reading, databases also for writing.
    static var openings: [(kind: StoreKind, options: String)] {
        StoreKind.allCases.flatMap { kind -> [(kind: StoreKind, options: String)] in
            let isDocuments = [.plannedRoutes, .locations, .tones].contains(kind)
            return isDocuments ? [(kind, "")] : [(kind, ""), (kind, " --write")]
        }
    }

    /// A session in a folder of its own, with the foreign stores in `foreign`; its workspace is filled or empty.
    func session(filled: Bool) throws -> TestSession {
        let test = try TestSession(plugins: builtInPlugins)
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: own.url.path) {
            let (source, target) = (
                own.url.appendingPathComponent(name), test.folder.url.appendingPathComponent(name)
            )
            if name != Self.workspace {
                try files.linkItem(at: source, to: target)
            } else if filled {
                try files.copyItem(at: source, to: target)
            }
        }
        try files.copyItem(at: foreign.url, to: test.folder.url.appendingPathComponent("foreign"))
        return test
    }

    /// What commands have written beside the workspace, other than the `given` files.
    static func output(_ test: TestSession, given: Set<String>) throws -> [String: Data] {
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path))
            .subtracting(given.union([workspace, "foreign"]))
        return try Dictionary(
            names.map { ($0, try Self.content(of: test.folder.url.appendingPathComponent($0))) }
        ) { first, _ in first }
    }

    /// All files of a session's workspace but the list of accounts, which has imports into any store.
    static func state(_ test: TestSession) -> [String: Data] {
        let folder = test.folder.url.appendingPathComponent(workspace)
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return Dictionary(
            names.filter { $0 != AccountLog.fileName }
                .map { ($0, (try? Data(contentsOf: folder.appendingPathComponent($0))) ?? Data()) }
        ) { first, _ in first }
    }

    // MARK: Making

    /// A workspace with something of each kind. The parameters make the content differ.
    private static func filled(
        shift: Double, elevation: String, halt: String, height: Int, tone: String
    ) async throws -> TemporaryFolder {
        let test = try TestSession(plugins: builtInPlugins)
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: test.folder.url.appendingPathComponent(name))
        }
        func run(_ lines: String...) async throws {
            for line in lines {
                if let failure = await test.result(line).failure { throw failure }
            }
        }
        try write(gpx(track: true, shift: shift, height: height), "walk.gpx")
        try write(gpx(track: false, shift: 0, height: height), "way.gpx")
        try write(places, "places.gpx")
        try await run("feed sample")
        let stops = test.folder.url.appendingPathComponent("harbour/stops.txt")
        try Data(
            try String(contentsOf: stops, encoding: .utf8)
                .replacing("Central Station", with: "Central \(halt)").utf8
        ).write(to: stops)
        try await run(
            "feed import harbour", "region sample", "region import valley.osm\(elevation)",
            "waypoint add \(0.501 + shift),0.501 --label Hut --note 'at \(height) m'",
            "waypoint add \(0.502 + shift),0.502 --label Spring",
            "import walk.gpx", "beacon add home \(0.5144 + shift),0.4973",
            "beacon add mill \(0.5 + shift),0.4973 --disabled", "tone add Bell --frequency \(tone)",
            "route plan 0.49786,0.48291 0.51439,0.49730 --name Up | route save",
            "import walk.gpx --dry-run | export walk.json",
            "import walk.gpx --dry-run | export ride.fit",
            "import walk.gpx --dry-run | export ride.tcx",
            "import places.gpx --dry-run | export places.geojson",
            "import places.gpx --dry-run | export places.kml",
            "device add watch wrist", "device add phone anna",
            "waypoint add \(0.503 + shift),0.503 --label Spring", "sync", "link send Spring", "device use"
        )
        await test.session.close()
        try routeFile(test.folder.url, to: "plan.json")
        return test.folder
    }

    /// The bytes of a file; of a folder those of its files, in the order of their names.
    private static func content(of url: URL) throws -> Data {
        guard try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else {
            return try Data(contentsOf: url)
        }
        return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted().reduce(into: Data()) {
            $0 += try Data(contentsOf: url.appendingPathComponent($1))
        }
    }

    /// The file of the planned route, to be sent over the link.
    private static func routeFile(_ folder: URL, to name: String) throws {
        let routes = StoreKind.plannedRoutes.url(in: folder.appendingPathComponent(workspace))
        for file in try FileManager.default.contentsOfDirectory(atPath: routes.path) {
            try FileManager.default.copyItem(
                at: routes.appendingPathComponent(file), to: folder.appendingPathComponent(name))
        }
    }

    /// Copies a workspace's own store of a kind into a folder; returns `false` if there is none.
    static func takeOut(_ kind: StoreKind, of folder: URL, into target: URL) throws -> Bool {
        let copy = target.appendingPathComponent(kind.name)
        let own = kind.url(in: folder.appendingPathComponent(workspace))
        switch kind {
        case .routing:
            // Named as the region, because a region goes by the name of its file.
            let regions = try FileManager.default.contentsOfDirectory(atPath: own.path).sorted()
            guard let database = regions.first(where: { $0.hasSuffix(".routing.db") }) else { return false }
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: own.appendingPathComponent(database), to: copy.appendingPathComponent(database))
        case .mbtiles:
            try database(
                copy,
                """
                CREATE TABLE tiles(zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                CREATE TABLE metadata(name TEXT, value TEXT);
                INSERT INTO tiles VALUES (0, 0, 0, x'89504E47');
                """)
        case .other: try database(copy, "CREATE TABLE notes(text TEXT)")
        case .plannedRoutes, .locations, .tones: try FileManager.default.copyItem(at: own, to: copy)
        case .waypoints, .hikes, .transit, .cloud, .link:
            // What is still in the write-ahead log belongs to it as well.
            let queue = try DatabaseQueue(path: own.path)
            try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy.path]) }
            try queue.close()
        }
        return true
    }

    /// The path of a foreign store, from the session's folder.
    static func path(_ kind: StoreKind) -> String {
        "foreign/\(kind.name)" + (kind == .routing ? "/valley.routing.db" : "")
    }

    /// The path of a store of a kind in a folder of stores.
    static func file(_ kind: StoreKind, in stores: URL) throws -> URL {
        let url = stores.appendingPathComponent(kind.name)
        guard kind == .routing else { return url }
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        return names.first.map { url.appendingPathComponent($0) } ?? url
    }

    private static func database(_ url: URL, _ sql: String) throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// A line along the sample valley's main trail, with times where it is a track.
    private static func gpx(track: Bool, shift: Double, height: Int) -> String {
        let points = (0...10).map { index -> String in
            let latitude = 0.49786 + Double(index) * 0.001 + shift
            let time = track ? "<time>2026-02-06T07:\(index + 10):00Z</time>" : ""
            let tag = track ? "trkpt" : "rtept"
            return "<\(tag) lat=\"\(latitude)\" lon=\"0.48291\"><ele>\(height + index)</ele>\(time)</\(tag)>"
        }.joined()
        let line =
            track
            ? "<trk><name>Walk</name><trkseg>\(points)</trkseg></trk>"
            : "<rte><name>Way</name>\(points)</rte>"
        return "<gpx version=\"1.1\">\(line)</gpx>"
    }

    private static let places = """
        <gpx version="1.1"><wpt lat="0.5" lon="0.5"><name>Bench</name></wpt></gpx>
        """
}
