import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin
@testable import Workbench

/// Numbers of a register, of a street and of a block; operators; what is closed for good. Expected places by hand.
@Suite(.needs(.osmium))
struct AddressFormTests {
    private static let map = """
        <osm version="0.6">
          <node id="1" lat="46.50" lon="7.50"/><node id="2" lat="46.50" lon="7.51"/>
          <node id="10" lat="46.501" lon="7.501"><tag k="addr:conscriptionnumber" v="1234"/><tag k="addr:streetnumber" v="7"/><tag k="addr:street" v="Quay"/></node>
          <node id="11" lat="46.501" lon="7.502"><tag k="addr:conscriptionnumber" v="88"/><tag k="addr:place" v="Lhota"/></node>
          <node id="12" lat="46.501" lon="7.503"><tag k="addr:block" v="5"/><tag k="addr:housenumber" v="3"/><tag k="addr:neighbourhood" v="Sakura"/></node>
          <node id="13" lat="46.501" lon="7.504"><tag k="addr:housename" v="Rose Cottage"/><tag k="addr:street" v="Quay"/></node>
          <node id="14" lat="46.501" lon="7.505"><tag k="amenity" v="atm"/><tag k="operator" v="Sparbank"/></node>
          <node id="15" lat="46.501" lon="7.506"><tag k="amenity" v="toilets"/><tag k="operator" v="Stadtwerk"/></node>
          <node id="16" lat="46.501" lon="7.507"><tag k="amenity" v="cafe"/><tag k="name" v="Lion"/><tag k="opening_hours" v="off"/></node>
          <node id="17" lat="46.501" lon="7.508"><tag k="shop" v="bakery"/><tag k="name" v="Korn"/><tag k="end_date" v="2019"/></node>
          <node id="18" lat="46.501" lon="7.509"><tag k="historic" v="castle"/><tag k="name" v="Keep"/><tag k="end_date" v="1689"/></node>
          <node id="19" lat="46.501" lon="7.5095"><tag k="addr:block_number" v="6"/><tag k="addr:housenumber" v="4"/><tag k="addr:quarter" v="Ume"/></node>
          <node id="21" lat="46.501" lon="7.5096"><tag k="place" v="hamlet"/><tag k="name" v="Dale"/><tag k="end_date" v="2031"/></node>
          <node id="22" lat="46.501" lon="7.5097"><tag k="addr:full" v="Plot 17, Harbour Row"/><tag k="building" v="house"/></node>
          <node id="23" lat="46.501" lon="7.5098"><tag k="addr:full" v="12 Old Wharf"/><tag k="name" v="Wharf House"/></node>
          <node id="24" lat="46.501" lon="7.5099"><tag k="addr:street" v="улица Мира"/><tag k="addr:housenumber" v="14 корпус 1"/></node>
          <node id="25" lat="46.502" lon="7.5099"><tag k="amenity" v="parking"/><tag k="park_ride" v="bus"/></node>
          <node id="26" lat="46.503" lon="7.5099"><tag k="amenity" v="parking"/><tag k="park_ride" v="no"/></node>
          <way id="20"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Quay"/></way>
        </osm>
        """

    private func first(_ text: String) async throws -> String? {
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(Self.map.utf8)])
        #expect(await test.result("region import map.osm").failure == nil)
        let names = try #require(RoutingPlugin().capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        return try await names.places(
            matching: PlaceQuery(PlaceWords(text), limit: 5), context: context
        ).first { !$0.quality.manner.isGuess }.map { "\($0.name)|\($0.kind)" }
    }

    @Test(arguments: [
        ("Quay 7", "Quay 1234/7|address"), ("Quay 1234", "Quay 1234/7|address"),
        ("Quay 1234/7", "Quay 1234/7|address"), ("Lhota 88", "Lhota 88|address"),
        ("Sakura 5-3", "Sakura 5-3|address"), ("Ume 6-4", "Ume 6-4|address"), ("Dale", "Dale|hamlet"),
        ("Rose Cottage, Quay", "Rose Cottage|named place"),
        ("Sparbank", "atm|atm"), ("Lion", "Lion|cafe closed"), ("Korn", "Korn|bakery until 2019"),
        ("Keep", "Keep|castle"), ("Plot 17 Harbour Row", "Plot 17, Harbour Row|address"),
        ("Old Wharf 12", "Wharf House|named place"), ("Мира 14к1", "улица Мира 14 корпус 1|address"),
        ("Мира 14 к 1", "улица Мира 14 корпус 1|address"), ("park and ride", "park and ride|park and ride"),
    ])
    func isFound(text: String, expected: String) async throws {
        #expect(try await first(text) == expected)
    }

    /// A town's toilets are not the town.
    @Test func othersAreNotCalledByTheirOperator() async throws {
        #expect(try await first("Stadtwerk") == nil)
    }
}
