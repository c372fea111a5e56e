import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin
@testable import Workbench

/// A street that leads through two municipalities.
@Suite(.needs(.osmium))
struct StreetTownTests {
    /// Two squares side by side, and a street of three ways from one into the other.
    private static let map = """
        <?xml version="1.0" encoding="UTF-8"?>
        <osm version="0.6">
          <node id="1" lat="46.50" lon="7.50"/><node id="2" lat="46.50" lon="7.52"/><node id="3" lat="46.50" lon="7.54"/>
          <node id="4" lat="46.52" lon="7.50"/><node id="5" lat="46.52" lon="7.52"/><node id="6" lat="46.52" lon="7.54"/>
          <node id="10" lat="46.51" lon="7.502"/><node id="11" lat="46.51" lon="7.512"/>
          <node id="12" lat="46.51" lon="7.519"/><node id="13" lat="46.51" lon="7.538"/>
          <way id="20"><nd ref="1"/><nd ref="2"/><nd ref="5"/><nd ref="4"/><nd ref="1"/>
            <tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Westwil"/></way>
          <way id="21"><nd ref="2"/><nd ref="3"/><nd ref="6"/><nd ref="5"/><nd ref="2"/>
            <tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Ostwil"/></way>
          <way id="30"><nd ref="10"/><nd ref="11"/><tag k="highway" v="tertiary"/><tag k="name" v="Landstrasse"/></way>
          <way id="31"><nd ref="11"/><nd ref="12"/><tag k="highway" v="tertiary"/><tag k="name" v="Landstrasse"/></way>
          <way id="32"><nd ref="12"/><nd ref="13"/><tag k="highway" v="tertiary"/><tag k="name" v="Landstrasse"/></way>
        </osm>
        """

    @Test(arguments: [("Westwil", 7.50...7.52), ("Ostwil", 7.52...7.54)])
    func isFoundInEach(town: String, longitudes: ClosedRange<Double>) async throws {
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(Self.map.utf8)])
        #expect(await test.result("region import map.osm").failure == nil)
        let names = try #require(RoutingPlugin().capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        let found = try await names.places(
            matching: PlaceQuery(PlaceWords("Landstrasse, \(town)"), limit: 5), context: context
        ).filter { !$0.quality.manner.isGuess && $0.kind == "tertiary" }
        #expect(found.map { $0.context ?? "" } == [town])
        #expect(found.allSatisfy { longitudes.contains($0.coordinate.longitude) })
    }
}
