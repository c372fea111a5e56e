import Geodesy
import Pictures
import PluginKit
import Testing

/// The base map of the page.
struct TileTests {
    @Test(.enabled(if: (try? NativeLibrary.cairo.require()) != nil, "drawing needs cairo"))
    func tilesHaveALightAndADarkGround() async throws {
        let served = try await ServedSession(plugins: [GroundPlugin()])
        let plain = try await served.request("GET /tiles/14/8214/8168.png")
        let light = try await served.request("GET /tiles/light/14/8214/8168.png")
        let dark = try await served.request("GET /tiles/dark/14/8214/8168.png")
        #expect([plain, light, dark].map(\.status) == [200, 200, 200])
        #expect(plain.body == light.body && light.body != dark.body)
        #expect(try await served.request("GET /tiles/neon/14/8214/8168.png").status == 404)
        #expect(try await served.request("GET /tiles/dark/14/8214.png").status == 404)
    }

    private struct GroundPlugin: Plugin, BaseMap {
        let name = "ground"
        let summary = "a ground"
        let version = "1.0"
        let commands: [any CommandProvider] = []
        var capabilities: [any Capability] { [self] }

        func regionNames(_ context: Context) -> [String] { [] }

        func baseMap(of box: BoundingBox, region: String?, context: Context) throws -> BaseMapContent? {
            BaseMapContent(drawing: Line(), attribution: "nobody's")
        }
    }

    private struct Line: DomainObject, MapDrawable {
        let typeName = "line"
        let fieldNames: [String] = []
        let summary = "line"
        func field(_ name: String) -> Value? { nil }
        var mapFeatures: [MapFeature] {
            [.track([Coordinate(latitude: 0.4, longitude: 0.4), Coordinate(latitude: 0.6, longitude: 0.6)])]
        }
    }
}
