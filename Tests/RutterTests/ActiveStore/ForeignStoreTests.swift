import Foundation
import PluginKit
import PluginTestKit
import Testing
import Workbench

@testable import rutter

/// What commands do with foreign stores of some kinds, beside leaving one's own alone.
@Suite(.enabled(if: StoreSample.hasAllPlugins, "needs all built-in plugins and libraries"))
struct ForeignStoreTests {
    private static let sample = Task { try await StoreSample() }

    /// A session with a filled workspace that uses foreign stores, the last one in use.
    private func session(_ kinds: StoreKind..., options: String = "") async throws -> TestSession {
        let test = try await Self.sample.value.session(filled: true)
        for kind in kinds {
            try await test.value("store open \(StoreSample.path(kind))\(options)")
        }
        return test
    }

    @Test func plannedRoutesOfAFolderAreListedAndNotAddedTo() async throws {
        let test = try await session(.plannedRoutes)
        #expect(await test.run("route list | get name") == "Up")
        // The foreign region has no elevation, so what its route climbs is not known; one's own does.
        #expect(await test.run("route show Up | get gain") == "")
        let result = await test.result("import way.gpx --as routes")
        #expect(result.failure?.code == "E-STORE-READONLY")
        #expect(await test.result("route edit Up --name Other").failure?.code == "E-STORE-READONLY")
        await test.run("store use")
        #expect(await test.run("route list | count") == "1")
        #expect(await test.run("route show Up | get gain") != "0m")
    }

    @Test func aSinglePlannedRouteIsListed() async throws {
        let test = try await Self.sample.value.session(filled: false)
        try await test.value("store open plan.json")
        #expect(await test.run("route list | get name") == "Up")
    }

    @Test func beaconsOfAFileAreListedAndNotAddedTo() async throws {
        let test = try await session(.locations)
        #expect(await test.run("beacon list | where name == home | get at | first") == "0.5164,0.4973")
        #expect(await test.result("beacon add new 0.5,0.5").failure?.code == "E-STORE-READONLY")
        #expect(await test.result("tone list").failure?.code == "E-STORE-KIND")
        await test.run("store use")
        #expect(await test.run("beacon list | where name == home | get at | first") == "0.5144,0.4973")
        #expect(await test.run("beacon list | where name == new | count") == "0")
    }

    @Test func foreignTonesAccompanyForeignBeacons() async throws {
        let test = try await session(.tones, .locations)
        await test.run("store use tones")
        #expect(await test.run("tone show Bell | get frequency") == "900Hz")
        #expect(await test.result("tone edit Bell --frequency 500Hz").failure?.code == "E-STORE-READONLY")
        #expect(await test.result("beacon list").failure?.code == "E-STORE-KIND")
    }

    @Test func aForeignRegionIsTheOnlyOne() async throws {
        let test = try await session(.routing)
        #expect(await test.run("region list | get name") == "valley")
        #expect(await test.run("route plan 0.49786,0.48291 0.51439,0.49730 | get gain") == "")
        #expect(await test.result("region delete valley").failure?.code == "E-STORE-KIND")
        #expect(
            await test.result("route plan 0.5,0.49 0.5,0.5 --region vally").failure?.code == "E-REGION-NONE")
    }

    @Test func writableStoresAreWrittenTo() async throws {
        let test = try await session(.waypoints, .hikes, options: " --write")
        #expect(await test.run("import walk.gpx --as hikes | get kept") == "1 hike")
        #expect(await test.run("hike list | count") == "2")
        // A hike and a place cannot both go into a store of hikes.
        #expect(await test.result("import places.gpx").failure?.code == "E-STORE-KIND")
        await test.run("store use waypoints")
        #expect(await test.run("import places.gpx | get kept") == "1 waypoint")
        await test.run("store use")
        #expect(await test.run("hike list | count") == "1")
    }

    @Test func theTimetableIsReplacedOnlyWhereItIsOnesOwn() async throws {
        let test = try await session(.transit)
        let failure = await test.result("feed import harbour --force").failure
        #expect(failure?.code == "E-STORE-KIND")
        #expect(failure?.fix?.contains("`store use`") == true)
    }

    @Test func theMapOfStopsIsOfTheTimetableInUse() async throws {
        let test = try await session()
        try await test.value("stop map 0.5,0.5")
        try await test.value("store open foreign/transit; store open foreign/waypoints")
        #expect(await test.result("stop map").failure?.code == "E-STORE-KIND")
        await test.run("store use transit")
        #expect(await test.result("stop map --east 1m").failure?.code == "E-TRANSIT-NOMAP")
        await test.run("store use")
        #expect(await test.result("stop map").failure == nil)
    }

    @Test func theRefusalNamesTheStoreThatFits() async throws {
        let test = try await session(.plannedRoutes, .waypoints)
        #expect(await test.result("route list").failure?.fix == "store use 'planned-routes'")
        #expect(await test.result("beacon list").failure?.fix?.contains("returns to your own stores") == true)
        // What accompanies the store in use is what is open beside it.
        #expect(await test.run("route show Up | get gain") == "")
    }
}
