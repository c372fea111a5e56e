import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Import of small hand-made maps.
@Suite(.needs(.osmium))
struct ImportTests {
    /// Nodes 1…9 on a line to the east, 0.001° apart.
    private func osm(_ ways: String, nodes: ClosedRange<Int> = 1...9, more: String = "") -> String {
        let line = nodes.map { "<node id=\"\($0)\" lat=\"47\" lon=\"\(9 + Double($0) / 1000)\"/>" }
        return "<osm version=\"0.6\">\(line.joined())\(more)\(ways)</osm>"
    }

    private func way(_ id: Int, _ refs: [Int], _ tags: [String: String] = [:]) -> String {
        let all = tags.merging(["highway": "path"]) { old, _ in old }
        return "<way id=\"\(id)\">" + refs.map { "<nd ref=\"\($0)\"/>" }.joined()
            + all.sorted { $0.key < $1.key }.map { "<tag k=\"\($0.key)\" v=\"\($0.value)\"/>" }.joined()
            + "</way>"
    }

    /// The edges of an import as `from-to` by OSM ids, in the order of the database.
    private func edges(_ osm: String) throws -> [String] {
        let region = try importedRegion(osm, in: ScratchFolder())
        let graph = region.graph
        return (0..<graph.edgeCount).map { edge in
            "\(graph.nodeID[graph.source[edge]])-\(graph.nodeID[graph.target[edge]])"
        }
    }

    @Test func waysAreCutWhereTheyMeet() throws {
        let crossing = "<node id=\"20\" lat=\"47.001\" lon=\"9.003\"/>"
        let found = try edges(osm(way(1, [1, 2, 3, 4, 5]) + way(2, [20, 3]), more: crossing))
        #expect(found == ["1-3", "3-5", "20-3"])
    }

    @Test func aWayThatPassesTwiceIsCutThere() throws {
        #expect(try edges(osm(way(1, [1, 2, 3, 4, 2, 5]))) == ["1-2", "2-2", "2-5"])
    }

    @Test func aClosedWayIsALoop() throws {
        #expect(try edges(osm(way(1, [1, 2, 3, 1]))) == ["1-1"])
    }

    @Test func missingNodesInterruptAWay() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", osm(way(1, [1, 2, 77, 3, 4, 78]) + way(2, [79, 80])))
        let report = try RegionImport(into: folder.regions).run(
            RegionImport.Request(source: file, name: "cut"))
        #expect(report.missingReferences == 4)
        #expect(report.edges == 2)
        let region = try RoutingRegion(folder.regions.database("cut"), isOwn: true)
        #expect(region.metadata["missing_node_references"] == "4")
    }

    @Test func repeatedNodesCountOnce() throws {
        #expect(try edges(osm(way(1, [1, 1, 2, 2, 3]))) == ["1-3"])
    }

    @Test func theBoxCuts() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", osm(way(1, Array(1...9))))
        let box = BoundingBox(south: 46, west: 9.0025, north: 48, east: 9.0065)
        let report = try RegionImport(into: folder.regions).run(
            RegionImport.Request(source: file, bounds: box, name: "box"))
        #expect(report.edges == 1 && report.nodes == 2 && report.missingReferences == 0)
    }

    @Test func idsComeInAnyOrder() throws {
        let nodes = [5, 3, 1, 4, 2, -7].map {
            "<node id=\"\($0)\" lat=\"47\" lon=\"\(9 + Double(abs($0)) / 1000)\"/>"
        }
        let found = try edges(
            "<osm version=\"0.6\">" + way(9, [1, 2, 3]) + way(2, [3, 4, -7]) + nodes.joined() + "</osm>")
        #expect(found == ["1-3", "3--7"])
    }

    @Test func waysThatNobodyMayEverUseAreLeftOut() throws {
        let ways =
            way(1, [1, 2], ["access": "private"]) + way(2, [2, 3], ["access": "no", "foot": "yes"])
            + way(3, [3, 4], ["highway": "motorway"]) + way(4, [4, 5], ["access": "permissive"])
            + way(5, [5, 6], ["access": "no"]) + way(6, [6, 7], ["motorroad": "yes"])
        // A private way is kept: it opens on request.
        #expect(try edges(osm(ways)) == ["1-2", "2-3", "4-5"])
    }

    /// Relations of ways that the region does not have are not its trails.
    @Test func trailsWithoutWaysAreLeftOut() throws {
        func trail(_ id: Int, _ ways: [Int]) -> String {
            "<relation id=\"\(id)\">"
                + ways.map { "<member type=\"way\" ref=\"\($0)\" role=\"\"/>" }.joined()
                + "<tag k=\"type\" v=\"route\"/><tag k=\"route\" v=\"hiking\"/><tag k=\"name\" v=\"Trail \(id)\"/></relation>"
        }
        let ways =
            way(1, [1, 2, 3]) + way(2, [7, 8, 9]) + way(3, [3, 4], ["highway": "motorway"])
            + trail(10, [77]) + trail(11, [3]) + trail(12, [2, 77]) + trail(13, [1]) + trail(14, [1, 2])
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", osm(ways))
        func trails(_ bounds: BoundingBox?) throws -> (report: Int, names: [String?], along: [[Int64]]) {
            let report = try RegionImport(into: folder.regions).run(
                RegionImport.Request(source: file, bounds: bounds, name: "marked", replaces: true))
            let graph = try RoutingRegion(folder.regions.database("marked"), isOwn: true).graph
            return (
                report.trails, graph.trails.map(\.name), (0..<graph.edgeCount).map(graph.trailIDs(of:))
            )
        }
        let all = try trails(nil)
        #expect(all.report == 3)
        #expect(all.names == ["Trail 12", "Trail 13", "Trail 14"])
        #expect(all.along == [[13, 14], [12, 14]])
        let west = BoundingBox(south: 46, west: 9, north: 48, east: 9.0035)
        #expect(try trails(west).names == ["Trail 13", "Trail 14"])
    }

    @Test func rolesOfMembersAreRead() throws {
        let trail =
            "<relation id=\"10\"><member type=\"way\" ref=\"2\" role=\"alternative\"/>"
            + "<member type=\"way\" ref=\"1\" role=\"\"/><tag k=\"type\" v=\"route\"/>"
            + "<tag k=\"route\" v=\"hiking\"/><tag k=\"name\" v=\"Trail\"/></relation>"
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", osm(way(1, [1, 2, 3]) + way(2, [3, 4, 5]) + trail))
        _ = try RegionImport(into: folder.regions).run(RegionImport.Request(source: file, name: "roles"))
        let graph = try RoutingRegion(folder.regions.database("roles"), isOwn: true).graph
        let marked = (0..<graph.edgeCount).filter { graph.trailIDs(of: $0) == [10] }
        #expect(marked.map { graph.wayID[$0] } == [1])
    }

    @Test func unsupportedConditionsAreReportedOnce() throws {
        let gate =
            "<node id=\"20\" lat=\"47.001\" lon=\"9.003\"><tag k=\"barrier\" v=\"gate\"/>"
            + "<tag k=\"access:conditional\" v=\"no @ wet\"/></node>"
        let wet = ["access:conditional": "no @ wet"]
        let folder = try ScratchFolder()
        let file = try folder.write(
            "map.osm",
            osm(
                way(1, [1, 2], wet) + way(2, [2, 3], wet) + way(3, [3, 20])
                    + way(4, [20, 4], ["vehicle:conditional": "no @ snow"]), more: gate))
        let report = try RegionImport(into: folder.regions).run(
            RegionImport.Request(source: file, name: "wet"))
        let kept = "an unsupported conditional restriction is kept as text: "
        #expect(
            report.notices.filter { $0.hasPrefix(kept) } == [
                kept + "access:conditional=no @ wet", kept + "vehicle:conditional=no @ snow",
            ])
    }

    @Test func geometryIsFloatPairsInEdgeDirection() throws {
        let folder = try ScratchFolder()
        let region = try importedRegion(osm(way(1, [1, 2, 3, 4])), in: folder)
        let queue = try DatabaseQueue(path: region.database.path)
        let blob = try queue.read { try Data.fetchOne($0, sql: "SELECT geometry FROM routing_edges") }
        let floats = [Float(47), Float(9.002), Float(47), Float(9.003)]
        let expected = floats.flatMap { value in
            withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init)
        }
        #expect(blob.map(Array.init) == expected)
        let short = try importedRegion(osm(way(1, [1, 2])), in: folder)
        let none = try DatabaseQueue(path: short.database.path).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM routing_edges WHERE geometry IS NULL")
        }
        #expect(none == 1)
        withExtendedLifetime(folder) {}
    }

    @Test func theSchemaIsThatOfTheApps() throws {
        let folder = try ScratchFolder()
        let region = try importedRegion(osm(way(1, [1, 2])), in: folder)
        let queue = try DatabaseQueue(path: region.database.path)
        defer { withExtendedLifetime(folder) {} }
        try queue.read { db in
            #expect(
                try db.columns(in: "routing_nodes").map(\.name) == [
                    "id", "latitude", "longitude", "elevation",
                ])
            let edges = [
                "id", "from_node", "to_node", "distance", "elevation_gain", "elevation_loss", "surface",
                "highway_type", "sac_scale", "trail_visibility", "name", "osm_way_id", "cost", "reverse_cost",
                "is_oneway", "geometry",
            ]
            #expect(try db.columns(in: "routing_edges").map(\.name) == edges)
            #expect(try db.columns(in: "routing_metadata").map(\.name) == ["key", "value"])
            let indexes = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master
                    WHERE type = 'index' AND name LIKE 'idx%' AND tbl_name LIKE 'routing%' ORDER BY 1
                    """)
            #expect(indexes == ["idx_edges_from", "idx_edges_to", "idx_nodes_lat_lon"])
        }
    }

    // MARK: Kinds of files

    /// The same map as XML, packed, and as PBF gives the same network.
    @Test(arguments: ["map.osm", "map.osm.gz", "map.osm.bz2"]) func kindsOfFiles(name: String) throws {
        let folder = try ScratchFolder()
        let map = MadeUpTown.osm(side: 4, seed: 2)
        _ = try folder.write("map.osm", map)
        if let tool = ["gz": "/usr/bin/gzip", "bz2": "/usr/bin/bzip2"][
            String(name.split(separator: ".").last ?? "")]
        {
            try #require(FileManager.default.isExecutableFile(atPath: tool), "\(tool) is missing")
            let process = try Process.run(
                URL(fileURLWithPath: tool), arguments: [folder.url.appendingPathComponent("map.osm").path])
            process.waitUntilExit()
        }
        let report = try RegionImport(into: folder.regions).run(
            .init(source: folder.url.appendingPathComponent(name), name: "packed"))
        let plain = try importedRegion(map, in: folder)
        #expect(report.edges == plain.graph.edgeCount && report.nodes == plain.graph.nodeCount)
        #expect(report.edges > 10)
    }

    @Test(arguments: ["gz", "bz2"]) func packedFilesThatEndTooEarly(ending: String) throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", MadeUpTown.osm(side: 6, seed: 2))
        let tool = ending == "gz" ? "/usr/bin/gzip" : "/usr/bin/bzip2"
        try #require(FileManager.default.isExecutableFile(atPath: tool), "\(tool) is missing")
        try Process.run(URL(fileURLWithPath: tool), arguments: [file.path]).waitUntilExit()
        let packed = folder.url.appendingPathComponent("map.osm.\(ending)")
        let bytes = try Data(contentsOf: packed)
        try bytes.prefix(bytes.count / 2).write(to: packed)
        let error = rutterError {
            _ = try RegionImport(into: folder.regions).run(.init(source: packed, name: "x"))
        }
        #expect(error?.code == "E-REGION-OSM", "\(error as Any)")
        #expect(error?.message.contains("map.osm.\(ending)") == true)
        #expect(folder.regions.names.isEmpty)
    }

    // MARK: One-way streets

    struct Oneway: Sendable {
        var tags: [String: String]
        /// Whether walkers and cyclists may go along the way as it was drawn, and back.
        var walk: (Bool, Bool)
        var ride: (Bool, Bool)
    }

    static let oneways = [
        Oneway(tags: [:], walk: (true, true), ride: (true, true)),
        Oneway(tags: ["oneway": "yes"], walk: (true, true), ride: (true, false)),
        Oneway(tags: ["oneway": "-1"], walk: (true, true), ride: (false, true)),
        Oneway(tags: ["oneway": "no"], walk: (true, true), ride: (true, true)),
        Oneway(tags: ["oneway": "yes", "oneway:bicycle": "no"], walk: (true, true), ride: (true, true)),
        Oneway(tags: ["oneway:foot": "yes"], walk: (true, false), ride: (true, true)),
        Oneway(tags: ["oneway": "-1", "oneway:foot": "yes"], walk: (true, false), ride: (false, true)),
        Oneway(tags: ["highway": "steps", "oneway": "yes"], walk: (true, false), ride: (false, false)),
        Oneway(tags: ["highway": "steps", "oneway": "-1"], walk: (false, true), ride: (false, false)),
        Oneway(
            tags: ["highway": "steps", "oneway": "yes", "oneway:foot": "no"], walk: (true, true),
            ride: (false, false)),
        Oneway(tags: ["junction": "roundabout"], walk: (true, true), ride: (true, false)),
        Oneway(tags: ["bicycle": "no"], walk: (true, true), ride: (false, false)),
        Oneway(tags: ["foot": "no"], walk: (false, false), ride: (true, true)),
        Oneway(tags: ["access": "no", "foot": "yes"], walk: (true, true), ride: (false, false)),
    ]

    @Test(arguments: oneways.indices) func onewayBindsWhomItShould(index: Int) throws {
        let subject = Self.oneways[index]
        let region = try importedRegion(osm(way(1, [1, 2, 3], subject.tags)), in: ScratchFolder())
        let graph = region.graph
        let isFlipped = graph.nodeID[graph.source[0]] == 3
        for (mode, may) in [(TravelMode.hiking, subject.walk), (.cycling, subject.ride)] {
            let weighted = region.weighted(.standard(mode))
            #expect(weighted.cost(of: 0, isReversed: isFlipped).isFinite == may.0, "\(mode) \(subject.tags)")
            #expect(weighted.cost(of: 0, isReversed: !isFlipped).isFinite == may.1, "\(mode) \(subject.tags)")
        }
    }

    // MARK: Whole or not at all

    @Test func sameInputGivesSameBytes() throws {
        let map = MadeUpTown.osm(side: 6, seed: 3)
        let files = try (0..<2).map { _ in
            let folder = try ScratchFolder()
            let region = try importedRegion(map, tile: MadeUpTown.tile(in: folder), in: folder)
            return try (Data(contentsOf: region.database), Array(region.graph.image.bytes.dropFirst(64)))
        }
        #expect(files[0].0 == files[1].0)
        #expect(files[0].1 == files[1].1)
    }

    @Test func anEmptyExtractLeavesNothing() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", osm(""))
        #expect(
            errorCode { _ = try RegionImport(into: folder.regions).run(.init(source: file, name: "x")) }
                == "E-REGION-EMPTY")
        #expect(folder.regions.names.isEmpty)
    }

    @Test func stoppingLeavesNothing() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", MadeUpTown.osm(side: 10, seed: 1))
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return errorCode {
                _ = try RegionImport(into: folder.regions).run(.init(source: file, name: "x"))
            }
        }
        #expect(await work.value == "E-INTERRUPTED")
        let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.regions.url.path)) ?? []
        #expect(left.isEmpty)
    }

    @Test func namesAreChecked() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", osm(way(1, [1, 2])))
        let importer = RegionImport(into: folder.regions)
        for name in ["", ".hidden", "a/b", "../up"] {
            #expect(errorCode { _ = try importer.run(.init(source: file, name: name)) } == "E-REGION-NAME")
        }
        _ = try importer.run(.init(source: file, name: "one"))
        #expect(errorCode { _ = try importer.run(.init(source: file, name: "one")) } == "E-REGION-EXISTS")
        #expect(folder.regions.names == ["one"])
        try folder.regions.remove("one")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.regions.url.path).isEmpty)
        #expect(errorCode { _ = try folder.regions.database("one") } == "E-ROUTE-NODATA")
    }

    @Test func filesOfKilledImportsAreRemoved() throws {
        let folder = try ScratchFolder()
        let regions = folder.regions.url
        try FileManager.default.createDirectory(at: regions, withIntermediateDirectories: true)
        // No process has this number; process 1 always exists.
        let gone = ["tmp", "routing.graph", "routing.costs-1"].map { ".test.\(Int32.max).\($0)" }
        let kept = [".test.1.tmp", ".test.north.\(Int32.max).tmp", ".test.\(Int32.max).note"]
        for name in gone + kept { try Data("x".utf8).write(to: regions.appendingPathComponent(name)) }
        _ = try importedRegion(MadeUpTown.osm(side: 3, seed: 1), in: folder)
        let left = try FileManager.default.contentsOfDirectory(atPath: regions.path)
        #expect(left.filter(gone.contains).isEmpty, "\(left)")
        #expect(kept.allSatisfy(left.contains), "\(left)")
    }

    /// Of two versions of a way the later counts, and the import says so; turn restrictions that lack a member are counted.
    @Test(.needs(.osmium)) func severalVersionsOfAWay() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(
            "map.osm",
            """
            <osm version="0.6"><node id="1" lat="47" lon="9.001"/><node id="2" lat="47" lon="9.002"/>
            <node id="3" lat="47" lon="9.003"/>
            <way id="5"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way>
            <way id="6" version="1"><nd ref="2"/><nd ref="3"/><tag k="highway" v="path"/></way>
            <way id="6" version="2"><nd ref="2"/><nd ref="3"/><tag k="highway" v="path"/><tag k="access" v="no"/></way>
            <relation id="7"><member type="way" ref="5" role="from"/>
            <tag k="type" v="restriction"/><tag k="restriction" v="no_exit"/></relation>
            </osm>
            """)
        let report = try RegionImport(into: folder.regions).run(.init(source: file, name: "test"))
        #expect(report.edges == 1 && report.seenWays == 2)
        #expect(report.notices.contains("1 way in several versions: the last of each is used"))
        #expect(report.notices.contains { $0.hasPrefix("1 turn restriction not used") })
    }

    @Test(.needs(.osmium)) func aDownloadThatWasCutOffIsSaid() throws {
        let folder = try ScratchFolder()
        let file = try folder.write(
            "map.osm",
            """
            <osm version="0.6"><node id="1" lat="47" lon="9.001"/><node id="2" lat="47" lon="9.002"/>
            <way id="5"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way>
            <remark> runtime error: Query timed out
            </remark></osm>
            """)
        let report = try RegionImport(into: folder.regions).run(.init(source: file, name: "test"))
        #expect(
            report.notices.contains("the file may be incomplete; it says: runtime error: Query timed out"))
    }
}
