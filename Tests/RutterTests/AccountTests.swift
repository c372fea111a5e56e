import PluginTestKit
import Testing

@testable import rutter

struct AccountTests {
    private static let walk =
        "<gpx><trk><trkseg><trkpt lat=\"46.5\" lon=\"7\"><time>2026-02-06T08:00:00Z</time></trkpt>"
        + "<trkpt lat=\"46.501\" lon=\"7\"><time>2026-02-06T08:02:00Z</time></trkpt></trkseg></trk></gpx>"

    /// Of several things, one without an account has a row that says so.
    @Test func nothingIsPassedOver() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        await test.run("'\(Self.walk)' | save a.gpx; import a.gpx")
        #expect(
            await test.run(
                "let walk = (hike list | first); [$walk {name: 'Drawn'}] | account | where of == Drawn | get outcome"
            )
                == "no account")
        let none = await test.result("[{name: 'Drawn'} {name: 'Other'}] | account").failure
        #expect(none?.code == "E-INPUT-KIND")
    }
}
