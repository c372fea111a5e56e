import Archives
import CivilTime
import Formats
import Foundation
import GRDBSQLite
import Geodesy
import PluginKit
import TrailStores

/// The data of the store benchmarks: waypoints spread over a country of 350 × 220 km.
enum SampleWaypoints {
    static func make(_ count: Int) -> [Waypoint] {
        let random = RandomSource(seed: 1)
        return (0..<count).map { index in
            Waypoint(
                id: random.uuid(),
                coordinate: Coordinate(
                    latitude: 45.8 + 2 * random.uniform(), longitude: 6 + 4.5 * random.uniform(),
                    altitude: (random.uniform() * 30_000).rounded() / 10),
                timestamp: Timestamp(milliseconds: 1_700_000_000_000 + Int64(index) * 1000),
                label: "Place \(index)",
                rawCategory: WaypointCategory.all[index % 9].raw, note: "a note about place \(index)")
        }
    }

    static func store(_ url: URL, _ waypoints: [Waypoint]) throws -> WaypointStore {
        let store = try WaypointStore(url, access: .own)
        var rest = waypoints.makeIterator()
        try store.insertAll { rest.next() }
        return store
    }
}

/// Near-search in a store of 100,000 waypoints, beside the same search by the C API.
enum NearBenchmark {
    static func run(_ effort: Effort) throws -> [Finding] {
        let scratch = try Scratch()
        let url = scratch.file("waypoints.db")
        let store = try SampleWaypoints.store(url, SampleWaypoints.make(100_000))
        let plain = try SQLite(url.path)
        let statement = try plain.prepare(
            "SELECT latitude, longitude, * FROM waypoints WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?"
        )
        defer { sqlite3_finalize(statement) }
        return try [1000.0, 5000].map { radius in
            let random = RandomSource(seed: 2)
            var wall: [Double] = []
            var own: [Double] = []
            var other: [Double] = []
            var found = 0
            for _ in 0..<effort.count(2000, quick: 200) {
                let place = Coordinate(
                    latitude: 45.8 + 2 * random.uniform(), longitude: 6 + 4.5 * random.uniform())
                wall.append(
                    try Measure.seconds {
                        own.append(
                            try Measure.ownSeconds { found += try store.near(place, radius: radius).count })
                    })
                other.append(
                    Measure.ownSeconds {
                        let box = BoundingBox(center: place, radius: radius)
                        plain.coordinates(statement, [box.south, box.north, box.west, box.east]) {
                            let there = Coordinate(latitude: $0, longitude: $1)
                            if place.distance(to: there) <= radius { found -= 1 }
                        }
                    })
            }
            if found != 0 { throw Skip(description: "the two searches do not agree") }
            let median = Measure.median(wall)
            let ratio = Measure.median(own) / Measure.median(other)
            return Finding(
                "near: within \(Int(radius / 1000))km of 100,000",
                "median \(Measure.milliseconds(median)), p99 \(Measure.milliseconds(Measure.quantile(wall, 0.99))), "
                    + "in processor time \(Measure.milliseconds(Measure.median(own))) and "
                    + Measure.milliseconds(Measure.quantile(own, 0.99)),
                reference: "C API \(Measure.times(ratio))",
                goal: ("< 2ms", median < 0.002))
        }
    }
}

/// 100,000 waypoints from a GPX file, beside the same rows through the C API.
enum ImportBenchmark {
    static func run(_ effort: Effort) throws -> [Finding] {
        let scratch = try Scratch()
        let waypoints = SampleWaypoints.make(100_000)
        let gpx = scratch.file("waypoints.gpx")
        var document = GPXDocument()
        document.waypoints = waypoints.map(GPXWaypoints.point)
        try Data(GPXWriter.text(document).utf8).write(to: gpx)
        let rows = waypoints.map(row)
        var own: [Double] = []
        var other: [Double] = []
        var reading: [Double] = []
        for round in 0..<effort.count(5, quick: 1) {
            own.append(try Measure.seconds { try importFile(gpx, to: scratch.file("own\(round).db")) })
            reading.append(try Measure.seconds { try GPXReader.read(SourceBytes(gpx)) { _ in } })
            let url = scratch.file("other\(round).db")
            // The schema comes from the store, so that both have the same indexes.
            do { _ = try WaypointStore(url, access: .own) }
            let plain = try SQLite(url.path)
            try plain.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            other.append(try Measure.seconds { try plain.insert(rows) })
        }
        let ratio = Measure.median(own) / Measure.median(other)
        return [
            Finding(
                "import: 100,000 waypoints from GPX", Measure.milliseconds(Measure.median(own)),
                reference:
                    "C API \(Measure.milliseconds(Measure.median(other))), \(Measure.times(ratio)), of which "
                    + "reading \(Measure.milliseconds(Measure.median(reading)))", goal: ("≤ 2×", ratio <= 2))
        ]
    }

    /// What `import` does with waypoints.
    private static func importFile(_ gpx: URL, to url: URL) throws {
        let store = try WaypointStore(url, access: .own)
        let random = RandomSource(seed: 3)
        let now = Timestamp(milliseconds: 1_770_364_800_000)
        let nextID = try store.freshIDs(random.uuid)
        var waypoints: [Waypoint] = []
        try GPXReader.read(SourceBytes(gpx)) { event in
            guard case .waypoint(let point) = event else { return }
            var waypoint = GPXWaypoints.waypoint(point, id: try nextID())
            waypoint.modifiedAt = now
            waypoints.append(waypoint)
        }
        var rest = waypoints.makeIterator()
        try store.insertAll { rest.next() }
    }

    private static func row(_ waypoint: Waypoint) -> SQLite.Row {
        let time = ISO8601.text(waypoint.timestamp, fraction: .always)
        let texts = [waypoint.id.uuidString, time, waypoint.label, waypoint.rawCategory, waypoint.note, time]
        return SQLite.Row(
            texts: texts.map { Array($0.utf8CString) }, latitude: waypoint.coordinate.latitude,
            longitude: waypoint.coordinate.longitude, altitude: waypoint.coordinate.altitude ?? 0)
    }
}
