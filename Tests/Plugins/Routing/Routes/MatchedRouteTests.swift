import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Recorded tracks as routes: their times, their pieces, and the options that apply to them.
@Suite struct MatchedRouteTests {
    private func session(_ lines: String...) async throws -> TestSession {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        for line in lines { await session.run(line) }
        return session
    }

    /// By hand: 600 m of asphalt at 1.33 m/s are 451 s, whatever the preferences; a primary road without a sidewalk costs four
    /// times its length.
    @Test func aMatchedRouteTakesAsLongAsAPlannedOne() async throws {
        let session = try await session(
            "let p = region sketch main 'A-----B-----C' --way 'ABC highway=primary surface=asphalt'",
            "[$p.A $p.B $p.C] | save walk.gpx")
        #expect(await session.run("route plan $p.A $p.C | get duration") == "7min31s")
        #expect(await session.run("route match walk.gpx | get duration") == "7min31s")
        #expect(
            await session.run("route match walk.gpx | get cost")
                == (await session.run("route plan $p.A $p.C | get cost")))
    }

    /// A track shows where someone was: nothing can be avoided.
    @Test func aMatchedRouteAvoidsNothing() async throws {
        let session = try await session("let p = region sketch one 'A--B' --way 'AB name=Lane'")
        await session.run("[$p.A $p.B] | save walk.gpx")
        #expect(await session.result("route match walk.gpx --avoid Lane").failure?.code == "E-OPTION-UNKNOWN")
    }
}
