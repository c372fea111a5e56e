import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin
@testable import Workbench

/// What is closed for good, what is not open yet, and what closes some day, on 6 February 2026; expected places by hand.
@Suite(.needs(.osmium))
struct DatedPlaceTests {
    private static let map = """
        <osm version="0.6">
          <node id="1" lat="46.50" lon="7.50"/><node id="2" lat="46.50" lon="7.51"/>
          <node id="10" lat="46.501" lon="7.501"><tag k="amenity" v="pub"/><tag k="name" v="Ends"/><tag k="end_date" v="2030-05-01"/></node>
          <node id="11" lat="46.502" lon="7.502"><tag k="amenity" v="pub"/><tag k="name" v="Ended"/><tag k="end_date" v="2019"/></node>
          <node id="12" lat="46.503" lon="7.503"><tag k="amenity" v="pub"/><tag k="name" v="Opens"/><tag k="opening_date" v="2031"/></node>
          <node id="13" lat="46.504" lon="7.504"><tag k="amenity" v="pub"/><tag k="name" v="Doubt"/><tag k="end_date" v="soon"/></node>
          <node id="14" lat="46.505" lon="7.505"><tag k="amenity" v="pub"/><tag k="name" v="Old"/><tag k="start_date" v="C18"/></node>
          <node id="15" lat="46.506" lon="7.506"><tag k="aeroway" v="aerodrome"/><tag k="name" v="Field"/><tag k="iata" v="QQZ"/></node>
          <node id="16" lat="46.507" lon="7.507"><tag k="addr:street" v="Quay"/><tag k="addr:housenumber" v="5A-5C"/></node>
          <way id="20"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Quay"/></way>
        </osm>
        """

    private func search(_ text: String, kinds: Set<String>? = nil) async throws -> [String] {
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(Self.map.utf8)])
        #expect(await test.result("region import map.osm").failure == nil)
        let names = try #require(RoutingPlugin().capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        return try await names.places(
            matching: PlaceQuery(PlaceWords(text), kinds: kinds, limit: 9), context: context
        ).map { "\($0.name)|\($0.kind)" }.sorted()
    }

    @Test func ofAKindAreThoseThatAreThereOrMayBe() async throws {
        #expect(
            try await search("", kinds: ["pub"])
                == ["Doubt|pub until soon", "Ends|pub until 2030-05-01", "Old|pub"])
    }

    @Test func byNameTheOthersAreFoundWithTheirDates() async throws {
        #expect(try await search("Ended") == ["Ended|pub until 2019"])
        #expect(try await search("Opens") == ["Opens|pub from 2031"])
    }

    @Test func airportsAreFoundByTheirCode() async throws {
        #expect(try await search("QQZ") == ["Field|aerodrome"])
    }

    @Test func aRangeOfLettersHasThoseBetween() async throws {
        #expect(try await search("Quay 5B") == ["Quay 5A-5C|address"])
    }
}
