import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Stops in regions, around places, by name; their modes.
@Suite struct StopTests {
    private let folder: TemporaryFolder
    private let feed: Feed

    init() throws {
        folder = try TemporaryFolder()
        let tables = Dictionary(uniqueKeysWithValues: SampleFeed.tables().map { ($0.name, $0.text) })
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: "harbour", tables: tables), to: database, isLenient: false)
        feed = try Feed(database, isOwn: true, fallback: .gmt)
    }

    /// Stops at random places, many of them near the antimeridian, as a feed.
    static func scattered(_ count: Int, in folder: URL) throws -> Feed {
        var random = Xoshiro256(seed: 9)
        var stops = "stop_id,stop_name,stop_lat,stop_lon\n"
        for index in 0..<count {
            let longitude = Angle.longitude(180 + Double.random(in: -2...2, using: &random))
            stops += "s\(index),Stop \(index),\(Double.random(in: -3...3, using: &random)),\(longitude)\n"
        }
        var tables = ImportTests.small
        tables["stops.txt"] =
            stops + (tables["stops.txt"] ?? "").split(separator: "\n").dropFirst().joined(separator: "\n")
        let database = folder.appendingPathComponent("scattered.db")
        _ = try FeedImport.run(FeedSource(name: "scattered", tables: tables), to: database, isLenient: false)
        return try Feed(database, isOwn: true, fallback: .gmt)
    }

    @Test func regionsAgreeWithAPlainFilter() throws {
        let feed = try Self.scattered(2000, in: folder.url)
        let all = try feed.stops.rows(Array(1...2003))
        #expect(all.count == 2003)
        var random = Xoshiro256(seed: 2)
        for _ in 0..<40 {
            let center = Coordinate(
                latitude: Double.random(in: -3...3, using: &random),
                longitude: Angle.longitude(180 + Double.random(in: -2...2, using: &random)))
            let reach = Double.random(in: 1000...200_000, using: &random)
            let box = BoundingBox(center: center, radius: reach)
            for limit in [1, 7, 200, 5000] {
                let found = try feed.stops.inside(box, limit: limit)
                let inside = all.compactMap { stop in stop.coordinate.map { (id: stop.id, place: $0) } }
                    .filter { box.contains($0.place) }
                #expect(found.total == inside.count)
                let nearest = inside.map { (box.center.distance(to: $0.place), $0.id) }.sorted {
                    $0 < $1
                }
                #expect(found.stops.map(\.stop.id) == nearest.prefix(limit).map(\.1))
            }
            let near = try feed.stops.near(center, radius: reach, limit: 5000)
            #expect(
                near.total == all.count { $0.coordinate.map { center.distance(to: $0) <= reach } ?? false })
        }
    }

    /// A stop that lies exactly on the edge is in the region, although the tree's numbers are rounded.
    @Test func edges() throws {
        let box = BoundingBox(south: 0.5, west: 0.5, north: 0.512, east: 0.508)
        let ids = try feed.stops.inside(box, limit: 200).stops.map(\.stop.id)
        #expect(ids.contains("CEN") && ids.contains("UNI"))
        let inner = BoundingBox(south: 0.500000001, west: 0.5, north: 0.511999999, east: 0.508)
        let fewer = try feed.stops.inside(inner, limit: 200).stops.map(\.stop.id)
        #expect(!fewer.contains("CEN") && !fewer.contains("UNI"))
    }

    @Test func modes() throws {
        func mode(_ id: String) throws -> TransitMode? { try feed.stops.with(id: id)?.mode }
        #expect(try mode("CEN") == .train && mode("UNI") == .train)
        #expect(try mode("CEN3") == .tram)
        #expect(try mode("HAR1") == .ferry && mode("ISL") == .ferry)
        #expect(try mode("SQE") == .bus)
        #expect(try mode("DEP") == .other)
        #expect(try feed.stops.with(id: "DEP")?.mode.icon == "mappin")
        #expect(try feed.stops.with(id: "CEN")?.label == "Central Station, train stop")
        for (type, mode) in [
            (0, TransitMode.tram), (1, .metro), (2, .train), (3, .bus), (4, .ferry), (109, .train),
            (401, .metro), (700, .bus), (900, .tram), (1000, .ferry), (1700, .other),
        ] {
            #expect(TransitMode(routeType: type) == mode)
        }
    }

    @Test(arguments: [
        (TransitMode.train, "train.side.front.car"), (.bus, "bus.fill"), (.ferry, "ferry.fill"),
        (.tram, "tram.fill"), (.metro, "lightrail.fill"),
    ])
    func symbolsOfModesAreThoseOfTheSeed(mode: TransitMode, icon: String) {
        #expect(mode.icon == icon)
    }

    /// The stored mode equals a plain count, and the one computed for an app's file.
    @Test func modesAreThoseOfMostPatterns() throws {
        let database = folder.url.appendingPathComponent("gtfs.db")
        let shipped = folder.url.appendingPathComponent("shipped.db")
        try ShippedStore.make(from: database, to: shipped, keepsStartTimes: true)
        let foreign = try Feed(shipped, isOwn: false, fallback: .gmt)
        for number in 1...121 as ClosedRange<Int64> {
            let own = try #require(try feed.stops.rows([number]).first)
            let other = try #require(try foreign.stops.rows([number]).first)
            #expect(own.routeType == other.routeType, "\(own.id)")
        }
        let box = BoundingBox(south: 0.49, west: 0.48, north: 0.52, east: 0.51)
        #expect(
            try feed.stops.inside(box, limit: 50).stops.map(\.stop.id)
                == foreign.stops.inside(box, limit: 50).stops.map(\.stop.id))
        #expect(try foreign.names.search("universitat", limit: 5).map(\.id) == ["UNI"])
    }

    @Test(arguments: [
        ("central", "CEN"), ("CENTRAL STATION", "CEN"), ("cafe zoe", "CAF"), ("zoë", "CAF"), ("uni", "UNI"),
        ("old mill", "MIL"), ("mill old", "MIL"), ("square east", "SQE"), ("garden road 96", "GAR96"),
        ("gulls", "ISL"),
        ("\"", ""), ("*", ""), ("AND", ""), ("NEAR(", ""), ("", ""),
    ])
    func search(text: String, first: String) throws {
        #expect(try feed.names.search(text, limit: 5).first?.id ?? "" == first)
    }

    /// During typing, the intended stop stays among the results.
    @Test func asOneTypes() throws {
        var typed = ""
        for letter in "garden road 11" {
            typed.append(letter)
            #expect(try !feed.names.search(typed, limit: 20).isEmpty, "\(typed)")
        }
        // A name that is the text comes before names that only begin with it.
        #expect(try feed.names.search("garden road 1", limit: 5).first?.id == "GAR1")
    }

    @Test func aStationComesBeforeItsPlatforms() throws {
        for text in ["c", "ce", "central", "station", "harb"] {
            let found = try feed.names.search(text, limit: 50)
            for (index, stop) in found.enumerated() {
                guard let parent = stop.parent, let station = found.firstIndex(where: { $0.id == parent })
                else { continue }
                #expect(station < index, "\(text): \(stop.id)")
            }
        }
    }

    @Test func onlyWhatTheRegionNeedsIsRead() throws {
        let plan = try feed.read { db in
            try String.fetchAll(
                db,
                sql:
                    "EXPLAIN QUERY PLAN SELECT sid FROM stops_rtree WHERE max_lat >= 0 AND min_lat <= 1 AND max_lon >= 0 AND min_lon <= 1"
            )
        }
        #expect(plan.count == 1)
        let details = try feed.read { db in
            try Row.fetchAll(
                db,
                sql:
                    "EXPLAIN QUERY PLAN SELECT rowid FROM trips WHERE pid = 1 AND start_time_secs >= 0 ORDER BY start_time_secs"
            )
            .map { $0["detail"] as String }
        }
        #expect(details.allSatisfy { $0.contains("idx_trips_pid_start") }, "\(details)")
    }

    /// A bulk-loaded R*Tree passes SQLite's own check, equals one filled by SQLite, and accepts further
    /// rows.
    @Test(arguments: [0, 1, 51, 52, 2601, 2602, 9000])
    func packedTrees(count: Int) throws {
        var random = Xoshiro256(seed: UInt64(count))
        // Some stops share a place, and some have a coordinate that 32 bits do not hold.
        let points = (0..<count).map { index in
            (
                id: Int64(index * 7 % max(1, count) + 1),
                x: (Double.random(in: -90...90, using: &random) * 1e3).rounded() / 1e3,
                y: index % 3 == 0 ? 8.5 : Double.random(in: -180...180, using: &random)
            )
        }
        let queue = try DatabaseQueue()
        try queue.write { db in
            for name in ["packed", "plain"] {
                try db.execute(sql: "CREATE VIRTUAL TABLE \(name) USING rtree(id, a, b, c, d)")
            }
            try StopTree.write(points, to: "packed", db)
            for point in points {
                try db.execute(
                    sql: "INSERT INTO plain VALUES (?1, ?2, ?2, ?3, ?3)",
                    arguments: [point.id, point.x, point.y])
            }
            func sound() throws -> Bool {
                try String.fetchOne(db, sql: "SELECT rtreecheck('main', 'packed')") == "ok"
            }
            #expect(try sound())
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM packed") == count)
            for _ in 0..<40 {
                let (x, y) = (
                    Double.random(in: -90...80, using: &random), Double.random(in: -180...160, using: &random)
                )
                let found = try ["packed", "plain"].map { name in
                    try Int64.fetchAll(
                        db,
                        sql: """
                            SELECT id FROM \(name) WHERE b >= ? AND a <= ? AND d >= ? AND c <= ? ORDER BY id
                            """,
                        arguments: [x, x + 10, y, y + 20])
                }
                // Bounds are tighter than SQLite's, and never leave a point out.
                let inside = points.filter { x...x + 10 ~= $0.x && y...y + 20 ~= $0.y }.map(\.id).sorted()
                #expect(Set(inside).isSubset(of: found[0]))
                #expect(Set(found[0]).isSubset(of: found[1]))
            }
            try db.execute(sql: "INSERT INTO packed VALUES (100000, 1, 1, 1, 1)")
            try db.execute(sql: "DELETE FROM packed WHERE id % 2 = 0 AND id < 100000")
            #expect(try sound())
        }
    }

    /// The second board uses the cache of the first.
    @Test func boardsAskedAgain() throws {
        let stop = try #require(try feed.stops.with(id: "CEN"))
        let moment = 1_770_361_200.0
        let boards = try (0..<2).map { _ in
            try feed.board(of: stop, at: moment, within: 86_400, limit: 50).departures.map(\.summary)
        }
        #expect(boards[0].count == 50)
        #expect(boards[0] == boards[1])
        let later = try (0..<2).map { _ in
            try feed.board(of: stop, at: moment + 400 * 86_400, within: 3600, limit: 5)
        }
        #expect(later[0].next?.summary == later[1].next?.summary)
    }
}
