import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Names and map features are read concurrently with the ways: the results equal those of separate
/// readings, and nothing is left behind.
@Suite(.needs(.osmium)) struct ConcurrentReadingTests {
    @Test func theSamePlacesAsReadByThemselves() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", RegionPlacesTests.map)
        let reading = ConcurrentReading.names(OSMFile(file), bounds: nil)
        let reader = OSMReader(OSMFile(file), progress: ProgressReporter())
        let alone = try RegionPlaces(reader.readPlaces(), bounds: nil, check: {})
        let found = try reading.result()
        let tables = try PlaceTables(alone.entries, areas: alone.areas)
        #expect(found.places == alone.entries.count && found.places > 10)
        #expect(
            PlaceIndexFile.data(found.tables.index, stamp: 0) == PlaceIndexFile.data(tables.index, stamp: 0))
        reading.end()
    }

    @Test func whoeverWaitsIsInterrupted() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", RegionPlacesTests.map)
        let code = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let reading = ConcurrentReading.names(OSMFile(file), bounds: nil)
            defer { reading.end() }
            return errorCode { _ = try reading.result() }
        }.value
        #expect(code == "E-INTERRUPTED")
    }

    @Test func aReadingThatIsEndedStops() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", MadeUpTown.osm(side: 60, seed: 1))
        let reading = ConcurrentReading.names(OSMFile(file), bounds: nil)
        reading.end()
        // It had ended by then: either whole, or interrupted.
        do { _ = try reading.result() } catch { #expect((error as? RutterError)?.code == "E-INTERRUPTED") }
    }

    @Test func aFileThatCannotBeReadIsSaid() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", "<osm><node id='1' lat='1' lon='1'><tag k='name' v='x'")
        let reading = ConcurrentReading.names(OSMFile(file), bounds: nil)
        defer { reading.end() }
        #expect(errorCode { _ = try reading.result() } == "E-REGION-OSM")
    }

    @Test func aMapThatIsEndedStops() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", MadeUpTown.osm(side: 60, seed: 1))
        let reading = ConcurrentReading.map(OSMFile(file), bounds: nil, after: nil)
        reading.end()
        do { _ = try reading.result() } catch { #expect((error as? RutterError)?.code == "E-INTERRUPTED") }
    }

    @Test(.timeLimit(.minutes(1))) func aMapThatWaitsForNamesIsEndedWithoutThem() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("map.osm", RegionPlacesTests.map)
        let names = BackgroundWork<ConcurrentReading.Names> { isStopped in
            while !isStopped() { Thread.sleep(forTimeInterval: 0.001) }
            throw Interruption.stopped
        }
        defer { names.end() }
        let reading = ConcurrentReading.map(OSMFile(file), bounds: nil, after: names)
        reading.end()
        #expect(errorCode { _ = try reading.result() } == "E-INTERRUPTED")
    }
}
