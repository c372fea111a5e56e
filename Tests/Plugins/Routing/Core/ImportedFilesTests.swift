import Foundation
import PluginKit
import Testing

@testable import RoutingPlugin

/// The output of an import on several threads equals that of one thread from the database, and is
/// reproducible.
struct ImportedFilesTests {
    private func imported(_ folder: ScratchFolder, as name: String, isLarge: Bool) throws -> RegionFiles {
        let file = try folder.write("map.osm", MadeUpTown.osm(side: 30, seed: 7))
        var request = RegionImport.Request(source: file, name: name)
        request.isLarge = isLarge
        _ = try RegionImport(into: folder.regions).run(request)
        return RegionFiles(database: try folder.regions.database(name))
    }

    @Test(arguments: [false, true]) func theFilesBesideAreThoseOfTheDatabase(isLarge: Bool) throws {
        let folder = try ScratchFolder()
        let files = try imported(folder, as: "town", isLarge: isLarge)
        let stamp = try #require(files.stamp)
        let graph = try RegionDatabase.read(files.database) {
            try GraphReader.read($0, file: "town", stamp: stamp)
        }
        let hierarchy = try Hierarchy(graph)
        #expect(try Data(contentsOf: files.graph) == Data(graph.image.bytes))
        #expect(try Data(contentsOf: files.hierarchy) == Data(hierarchy.image.bytes))
        let key = try #require(CostsKey(.hiking, graph: graph, hierarchy: hierarchy))
        let costs = HierarchyCosts(hierarchy, WeightedGraph(graph, profile: .hiking))
        // The bytes live as long as the image.
        let image = StoredCosts.image(of: costs, key: key)
        #expect(try Data(contentsOf: files.costs(key)) == withExtendedLifetime(image) { Data(image.bytes) })
        #expect(graph.edgeCount > 1000)
        // They are used unchanged: nothing is computed when the region is opened.
        let mapped = try #require(MemoryImage.mapped(files.graph, stamp: stamp))
        #expect(mapped.identity == graph.image.identity)
        // The files had other names while they were made.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.regions.url.path)
        #expect(names.count == 6 && !names.contains { $0.hasPrefix(".") })
        // The gazetteer equals one that is read from the database.
        let gazetteer = try Data(contentsOf: files.gazetteer)
        try FileManager.default.removeItem(at: files.gazetteer)
        _ = try OpenPlaces(files, name: files.name, stamp: stamp, isOwn: true)
        #expect(try Data(contentsOf: files.gazetteer) == gazetteer)
    }

    @Test func theSameFileGivesTheSameBytes() throws {
        let databases = try [false, false, true].map { isLarge in
            let folder = try ScratchFolder()
            return try Data(contentsOf: imported(folder, as: "town", isLarge: isLarge).database)
        }
        #expect(databases[0] == databases[1])
        #expect(databases[1] == databases[2])
    }

    @Test func ofAKeyThatComesTwiceTheFirstValueCounts() throws {
        let folder = try ScratchFolder()
        let nodes = (1...3).map { "<node id=\"\($0)\" lat=\"1.00\($0)\" lon=\"1\"/>" }.joined()
        func way(_ id: Int, _ kinds: [String]) -> String {
            let tags = kinds.map { "<tag k=\"highway\" v=\"\($0)\"/>" }.joined()
            return "<way id=\"\(id)\"><nd ref=\"\(id)\"/><nd ref=\"\(id + 1)\"/>\(tags)</way>"
        }
        let file = try folder.write(
            "twice.osm",
            "<osm version=\"0.6\">\(nodes)\(way(1, ["path", "motorway"]))\(way(2, ["motorway", "path"]))</osm>"
        )
        let report = try RegionImport(into: folder.regions).run(
            RegionImport.Request(source: file, name: "twice"))
        #expect(report.keptWays == 1)
        #expect(report.edges == 1)
        // The map shows both, each as its first kind.
        #expect(report.map?.features == 2)
    }
}
