import PluginTestKit
import Testing

/// Places beside planned routes, in the whole program.
struct PlacesBesideRouteTests {
    @Test("a route that ends where it starts is a way without length, and no wrong input")
    func withoutLength() throws {
        let folder = try TemporaryFolder()
        let outcome = try RutterProcess.run(
            ["--workspace", folder.url.path + "/ws", "--seed", "1"],
            input: """
                region sample
                region import valley.osm
                route plan 0.498338,0.483055 0.498338,0.483055 | place along | count

                """, folder: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").last == "0")
    }
}
