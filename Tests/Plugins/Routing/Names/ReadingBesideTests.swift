import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Names and map features are read concurrently with the ways: the results equal those of separate
/// readings, and nothing is left behind.
@Suite(.needs(.osmium)) struct ReadingBesideTests {
    @Test func theSamePlacesAsReadByThemselves() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", RegionPlacesTests.map)
        let beside = ReadingBeside.names(file, bounds: nil)
        let reader = OSMReader(file, progress: ProgressReporter())
        let alone = try RegionPlaces(reader.readPlaces(), bounds: nil, check: {})
        let found = try beside.result()
        let tables = try PlaceTables(alone.entries, areas: alone.areas)
        #expect(found.places == alone.entries.count && found.places > 10)
        #expect(
            PlaceIndexFile.data(found.tables.index, stamp: 0) == PlaceIndexFile.data(tables.index, stamp: 0))
        beside.end()
    }

    @Test func whoeverWaitsIsInterrupted() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", RegionPlacesTests.map)
        let code = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let beside = ReadingBeside.names(file, bounds: nil)
            defer { beside.end() }
            return errorCode { _ = try beside.result() }
        }.value
        #expect(code == "E-INTERRUPTED")
    }

    @Test func aReadingThatIsEndedStops() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", MadeUpTown.osm(side: 60, seed: 1))
        let beside = ReadingBeside.names(file, bounds: nil)
        beside.end()
        // It had ended by then: either whole, or interrupted.
        do { _ = try beside.result() } catch { #expect((error as? RutterError)?.code == "E-INTERRUPTED") }
    }

    @Test func aFileThatCannotBeReadIsSaid() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", "<osm><node id='1' lat='1' lon='1'><tag k='name' v='x'")
        let beside = ReadingBeside.names(file, bounds: nil)
        defer { beside.end() }
        #expect(errorCode { _ = try beside.result() } == "E-REGION-OSM")
    }

    @Test func aMapThatIsEndedStops() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", MadeUpTown.osm(side: 60, seed: 1))
        let beside = ReadingBeside.map(file, bounds: nil, after: nil)
        beside.end()
        do { _ = try beside.result() } catch { #expect((error as? RutterError)?.code == "E-INTERRUPTED") }
    }

    @Test(.timeLimit(.minutes(1))) func aMapThatWaitsForNamesIsEndedWithoutThem() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", RegionPlacesTests.map)
        let names = BackgroundWork<ReadingBeside.Names> { isStopped in
            while !isStopped() { Thread.sleep(forTimeInterval: 0.001) }
            throw Interruption.stopped
        }
        defer { names.end() }
        let beside = ReadingBeside.map(file, bounds: nil, after: names)
        beside.end()
        #expect(errorCode { _ = try beside.result() } == "E-INTERRUPTED")
    }
}
