import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Reachable areas: the options that apply to them, and their agreement with planned routes.
@Suite struct ReachableTests {
    private func session(_ lines: String...) async throws -> TestSession {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        for line in lines { await session.run(line) }
        return session
    }

    /// 300 m of lane, and 300 m of stairs beyond.
    @Test func avoidedWaysAreNotReached() async throws {
        let session = try await session(
            "let p = region sketch town 'A-----B-----C' --way 'AB name=Lane' --way 'BC highway=steps name=Stairs'"
        )
        #expect(await session.run("route reachable $p.A --within 1h | get length") == "600m")
        #expect(await session.run("route reachable $p.A --within 1h --avoid Stairs | get length") == "300m")
        #expect(
            await session.result("route reachable $p.A --within 1h --avoid Stiars").failure?.code
                == "E-ROUTE-AVOID")
    }
}
