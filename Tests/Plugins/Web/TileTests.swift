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

    /// Only what is drawn in view is credited.
    @Test(.enabled(if: (try? NativeLibrary.cairo.require()) != nil, "drawing needs cairo"))
    func creditsAreThoseOfTheTilesInView() async throws {
        let served = try await ServedSession(plugins: [GroundPlugin()])
        _ = try await served.request("GET /tiles/14/8214/8168.png")
        let near = try await served.request("GET /tiles/attribution/14/8210/8160/8220/8170")
        #expect(near.body == "nobody's")
        // Where nothing is drawn there is nothing to credit, and the page says so.
        let nothing = try await served.request("GET /tiles/attribution/14/8000/8160/8010/8170")
        #expect(nothing.status == 204 && nothing.body.isEmpty)
        // Across the 180th meridian the first column is the greater one.
        let across = try await served.request("GET /tiles/attribution/14/16380/8160/3/8170")
        #expect(across.status == 204)
        for path in ["14/1/2/3", "14/0/9/0/3", "14/0/0/16383/16383", "99/0/0/1/1"] {
            #expect(try await served.request("GET /tiles/attribution/\(path)").status == 404, "\(path)")
        }
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
