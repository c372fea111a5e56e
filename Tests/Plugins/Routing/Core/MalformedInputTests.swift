import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Damaged and hostile files cause a clear error, and nothing is written.
@Suite(.needs(.osmium))
struct MalformedInputTests {
    private func importing(_ file: URL, elevation: [URL] = []) throws -> (code: String?, message: String) {
        let folder = try ScratchFolder()
        let error = rutterError {
            _ = try RegionImport(into: folder.regions).run(
                .init(source: file, elevation: elevation, name: "x"))
        }
        if error != nil {
            #expect(folder.regions.names.isEmpty)
            let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.regions.url.path)) ?? []
            #expect(left.isEmpty)
        }
        return (error?.code, error?.message ?? "")
    }

    @Test(.enabled(if: CoreData.has("malformed/osm"), "no real data"))
    func realMaps() throws {
        let files = CoreData.files("malformed/osm")
        #expect(files.count >= 12)
        for file in files {
            let name = file.lastPathComponent
            let outcome = try importing(file)
            if name.hasPrefix("ok_") { #expect(outcome.code == nil, "\(name): \(outcome.message)") }
            if name.hasPrefix("bad_") {
                #expect(outcome.code == "E-REGION-OSM", "\(name): \(outcome.message)")
                #expect(
                    outcome.message.contains(name) && outcome.message.contains("byte"), "\(outcome.message)")
            }
            if name.hasPrefix("edge_") { #expect(outcome.code == nil || outcome.code == "E-REGION-OSM") }
        }
    }

    @Test(.enabled(if: CoreData.has("malformed/hgt"), "no real data"))
    func realTiles() throws {
        let folder = try ScratchFolder()
        let map = try folder.write("map.osm", MadeUpTown.osm(side: 3, seed: 1))
        let files = CoreData.files("malformed/hgt")
        #expect(files.count >= 2)
        for file in files {
            let outcome = try importing(map, elevation: [file])
            #expect(outcome.code == "E-REGION-HGT", "\(file.lastPathComponent): \(outcome.message)")
            #expect(outcome.message.contains(file.lastPathComponent))
        }
    }

    @Test(
        arguments: [
            ("{\"version\": 0.6}", "is JSON"), ("\u{FEFF}<!DOCTYPE html><html>", "is a web page"),
            ("", "is empty"),
            ("<?xml version=\"1.0\"?><gpx>", "is a GPX file"), ("<osm version=\"0.6\">", nil),
        ] as [(String, String?)])
    func aFileOfAnotherKindIsNamed(text: String, words: String?) throws {
        let found = NoMapFile.words(Data(text.utf8))?.what
        guard let words else {
            #expect(found == nil)
            return
        }
        #expect(found?.hasPrefix(words) == true)
        let folder = try ScratchFolder()
        #expect(try importing(try folder.write("map.osm", text)).message.contains(words))
    }

    @Test func waysWithoutTheirNodesAreNoMapWithoutWays() throws {
        let folder = try ScratchFolder()
        let map = """
            <osm version="0.6"><way id="1" version="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way></osm>
            """
        let outcome = try importing(try folder.write("map.osm", map))
        #expect(outcome.code == "E-REGION-EMPTY" && outcome.message.contains("lacks the nodes of its ways"))
    }

    @Test func textThatIsNoMap() throws {
        let folder = try ScratchFolder()
        for (name, text) in [
            ("cut.osm", "<osm version=\"0.6\"><node id=\"1\" lat=\"1\""), ("page.osm", "<html></html>"),
            ("no.osm.pbf", "this is no map at all, but long enough to be read"), ("empty.osm", ""),
            ("entity.osm", "<!DOCTYPE osm [<!ENTITY a \"b\">]><osm version=\"0.6\"/>"),
        ] {
            let outcome = try importing(try folder.write(name, text))
            #expect(outcome.code == "E-REGION-OSM", "\(name): \(outcome)")
        }
        #expect(try importing(try folder.write("map.txt", "x")).code == "E-REGION-FORMAT")
        #expect(try importing(folder.url.appendingPathComponent("none.osm")).code == "E-FILE-MISSING")
    }

    @Test func unknownRequiredFeature() throws {
        // A header blob with required_features = ["Martian"], uncompressed.
        let feature = Array("Martian".utf8)
        let header = [0x22, UInt8(feature.count)] + feature
        let blob = [0x0A, UInt8(header.count)] + header
        let kind = Array("OSMHeader".utf8)
        let blobHeader = [0x0A, UInt8(kind.count)] + kind + [0x18, UInt8(blob.count)]
        let bytes = [0, 0, 0, UInt8(blobHeader.count)] + blobHeader + blob
        let folder = try ScratchFolder()
        let outcome = try importing(try folder.write("mars.osm.pbf", Data(bytes)))
        #expect(outcome.code == "E-REGION-FEATURE")
        #expect(outcome.message.contains("Martian"))
    }

    /// A PBF file of two nodes and a path, as osmformat.proto defines it; `value` is that of the first node's tag.
    static func smallMap(_ value: String) -> [UInt8] {
        func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
            [number << 3 | 2, UInt8(content.count)] + content
        }
        func blob(_ kind: String, _ content: [UInt8]) -> [UInt8] {
            let blob = field(1, content)
            let head = field(1, Array(kind.utf8)) + [3 << 3, UInt8(blob.count)]
            return [0, 0, 0, UInt8(head.count)] + head + blob
        }
        let texts = ["", "highway", "path", value].map { field(1, Array($0.utf8)) }
        // Differences, zigzag-encoded: nodes 1 and 2, from 0.0001°, 0.0001° to 0.0002°, 0.0002°.
        let thousand: [UInt8] = [0xD0, 0x0F]
        let nodes =
            field(1, [2, 2]) + field(8, thousand + thousand) + field(9, thousand + thousand)
            + field(10, [1, 3, 0, 0])
        let way = [1 << 3, 7] + field(2, [1]) + field(3, [2]) + field(8, [2, 2])
        let block = field(1, texts.flatMap { $0 }) + field(2, field(2, nodes)) + field(2, field(3, way))
        return blob("OSMHeader", []) + blob("OSMData", block)
    }

    /// A length of zero or a truncated length is not the end of the file: the missing data after it would go
    /// unnoticed. In libosmium a zero byte within a text ends it, which would make its list of tags endless.
    @Test func damagedBlocks() throws {
        let folder = try ScratchFolder()
        let whole = Self.smallMap("crossing")
        #expect(try importing(try folder.write("whole.osm.pbf", Data(whole))).code == nil)
        for (name, bytes) in [
            ("zeros.osm.pbf", whole + [UInt8](repeating: 0, count: 100)), ("cut.osm.pbf", whole + [0, 0]),
            ("text.osm.pbf", Self.smallMap("a\0b")),
        ] {
            let outcome = try importing(try folder.write(name, Data(bytes)))
            #expect(outcome.code == "E-REGION-OSM", "\(name): \(outcome)")
        }
    }

    // MARK: Databases

    private func damaged(_ sql: String) throws -> (code: String?, message: String) {
        let folder = try ScratchFolder()
        let region = try importedRegion(MadeUpTown.osm(side: 3, seed: 1), in: folder)
        let queue = try DatabaseQueue(path: region.database.path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
        let error = rutterError { _ = try RoutingRegion(region.database, isOwn: false) }
        return (error?.code, error?.message ?? "")
    }

    @Test func graphsThatContradictThemselves() throws {
        let missing = try damaged(
            "DELETE FROM routing_nodes WHERE id = (SELECT from_node FROM routing_edges LIMIT 1)")
        #expect(missing.code == "E-REGION-GRAPH")
        #expect(missing.message.contains("which is missing"))
        for sql in [
            "UPDATE routing_edges SET cost = -1 WHERE id = 2", "UPDATE routing_edges SET distance = 'far'",
            "UPDATE routing_nodes SET latitude = 91",
            "UPDATE routing_edges SET geometry = x'0102' WHERE id = 1",
        ] {
            #expect(try damaged(sql).code == "E-REGION-GRAPH", "\(sql)")
        }
        #expect(try damaged("ALTER TABLE routing_edges DROP COLUMN sac_scale").code == "E-REGION-SCHEMA")
        #expect(try damaged("DROP TABLE routing_metadata").code == "E-REGION-SCHEMA")
    }

    @Test func whatIsBesideIsCheckedAgainstTheDatabase() throws {
        let folder = try ScratchFolder()
        let region = try importedRegion(MadeUpTown.osm(side: 4, seed: 1), in: folder)
        let files = RegionFiles(database: region.database)
        let before = region.graph.edgeCount
        // If the size of a derived file is wrong, it is rebuilt.
        var bytes = try Data(contentsOf: files.graph)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: files.graph)
        #expect(try RoutingRegion(region.database, isOwn: true).graph.edgeCount == before)
        let queue = try DatabaseQueue(path: region.database.path)
        try queue.write { try $0.execute(sql: "DELETE FROM routing_edges WHERE id = 1") }
        try queue.close()
        #expect(try RoutingRegion(region.database, isOwn: true).graph.edgeCount == before - 1)
    }

    @Test func aDatabaseOfAnAppOpens() throws {
        let folder = try ScratchFolder()
        let region = try importedRegion(MadeUpTown.osm(side: 4, seed: 1), in: folder)
        let copy = folder.url.appendingPathComponent("app.routing.db")
        try FileManager.default.copyItem(at: region.database, to: copy)
        let queue = try DatabaseQueue(path: copy.path)
        try queue.write { try $0.execute(sql: "DROP TABLE rutter_edges") }
        try queue.close()
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        let opened = try RoutingRegion(copy, isOwn: false)
        #expect(opened.graph.edgeCount == region.graph.edgeCount)
        _ = try opened.hierarchy(.appHiking)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
    }
}
