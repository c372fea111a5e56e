import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin
@testable import Workbench

/// Taps without names, streets by postcode, corners of two streets, numbers with letters; expected places by hand.
@Suite(.needs(.osmium))
struct NamelessPlacesTests {
    private static let map = """
        <osm version="0.6">
          <node id="1" lat="46.500" lon="7.500"/><node id="2" lat="46.500" lon="7.510"/>
          <node id="3" lat="46.505" lon="7.505"/><node id="4" lat="46.495" lon="7.505"/>
          <node id="5" lat="46.500" lon="7.505"/>
          <node id="6" lat="46.510" lon="7.500"/><node id="7" lat="46.510" lon="7.510"/>
          <node id="10" lat="46.501" lon="7.501"><tag k="amenity" v="drinking_water"/></node>
          <node id="11" lat="46.502" lon="7.501"><tag k="amenity" v="drinking_water"/><tag k="drinking_water" v="no"/></node>
          <node id="12" lat="46.503" lon="7.501"><tag k="amenity" v="fountain"/><tag k="name" v="Lion"/><tag k="drinking_water" v="no"/></node>
          <node id="13" lat="46.504" lon="7.501"><tag k="amenity" v="fountain"/><tag k="drinking_water" v="yes"/></node>
          <node id="14" lat="46.504" lon="7.502"><tag k="amenity" v="clock"/></node>
          <node id="15" lat="46.5001" lon="7.501"><tag k="addr:housenumber" v="7 b"/><tag k="addr:street" v="Quay"/><tag k="addr:postcode" v="3700"/></node>
          <node id="16" lat="46.5101" lon="7.501"><tag k="addr:housenumber" v="2"/><tag k="addr:street" v="Quay"/><tag k="addr:postcode" v="3800"/></node>
          <node id="17" lat="46.5002" lon="7.502"><tag k="tourism" v="hotel"/><tag k="amenity" v="restaurant"/><tag k="name" v="Eagle"/><tag k="addr:street" v="Quay"/><tag k="addr:housenumber" v="9"/></node>
          <node id="18" lat="46.5002" lon="7.503"><tag k="amenity" v="restaurant;bar"/></node>
          <node id="19" lat="46.5002" lon="7.504"><tag k="addr:housenumber" v="20-26"/><tag k="addr:street" v="Quay"/></node>
          <node id="30" lat="46.5003" lon="7.504"><tag k="shop" v="supermarket"/><tag k="brand" v="Korn"/><tag k="atm" v="yes"/></node>
          <way id="20"><nd ref="1"/><nd ref="5"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Quay"/></way>
          <way id="21"><nd ref="3"/><nd ref="5"/><nd ref="4"/><tag k="highway" v="residential"/><tag k="name" v="Mill Lane"/></way>
          <way id="22"><nd ref="6"/><nd ref="7"/><tag k="highway" v="residential"/><tag k="name" v="Quay"/></way>
        </osm>
        """

    private func search(_ text: String, kinds: Set<String>? = nil) async throws -> [PlaceMatch] {
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(Self.map.utf8)])
        #expect(await test.result("region import map.osm").failure == nil)
        let names = try #require(RoutingPlugin().capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        return try await names.places(
            matching: PlaceQuery(PlaceWords(text), kinds: kinds, limit: 5), context: context)
    }

    @Test func tapsWithoutANameAreFoundByKind() async throws {
        let found = try await search("", kinds: ["drinking_water"])
        #expect(found.map(\.coordinate.latitude).sorted() == [46.501, 46.504])
        #expect(found.allSatisfy { $0.name == "drinking water" })
    }

    @Test func whatIsNotDrinkableIsNoDrinkingWater() async throws {
        let found = try await search("", kinds: ["undrinkable fountain", "undrinkable water_tap"])
        #expect(found.map(\.coordinate.latitude).sorted() == [46.502, 46.503])
        #expect(try await search("", kinds: ["clock"]).isEmpty)
    }

    @Test func aStreetHasThePostcodesOfItsHouses() async throws {
        #expect(try await search("Quay 3800").first?.coordinate.latitude == 46.51)
        #expect(try await search("3700 Quay", kinds: ["residential"]).first?.context == "3700")
    }

    @Test(arguments: ["Quay 7b", "7B Quay", "Quay 7 b"])
    func aLetterMayStandApartFromItsNumber(text: String) async throws {
        #expect(try await search(text).first?.name == "Quay 7 b")
    }

    @Test(arguments: ["quay mill lane", "mill lane quay"])
    func twoStreetsMeetAtTheirJunction(text: String) async throws {
        let found = try await search(text, kinds: ["intersection"])
        #expect(found.count == 1)
        #expect(found.first?.coordinate.latitude == 46.5)
        #expect(found.first?.coordinate.longitude == 7.505)
    }

    @Test func streetsThatDoNotMeetHaveNoCorner() async throws {
        #expect(try await search("mill lane mill lane", kinds: ["intersection"]).isEmpty)
    }

    @Test(arguments: ["hotel", "restaurant"])
    func anObjectIsOfEachOfItsKinds(kind: String) async throws {
        let found = try await search("", kinds: [kind]).filter { $0.name == "Eagle" }
        #expect(found.map(\.kind) == [kind])
    }

    @Test func anObjectOfTwoKindsIsFoundOnceByItsName() async throws {
        #expect(try await search("Eagle").map(\.kind) == ["hotel"])
        #expect(try await search("", kinds: ["hotel", "restaurant", "bar"]).count == 2)
    }

    @Test(arguments: ["restaurant", "bar"])
    func eachValueOfAListIsAKind(kind: String) async throws {
        #expect(try await search("", kinds: [kind]).contains { $0.coordinate.longitude == 7.503 })
    }

    @Test func aShopIsCalledByItsBrandAndHasItsCashMachine() async throws {
        #expect(try await search("Korn").map(\.kind) == ["supermarket"])
        #expect(try await search("", kinds: ["atm"]).map(\.name) == ["Korn"])
    }

    @Test func aNumberWithinARangeIsThatHouse() async throws {
        #expect(try await search("Quay 24").first?.name == "Quay 20-26")
        // Odd numbers are on the other side.
        #expect(try await search("Quay 23").first?.name != "Quay 20-26")
    }

    @Test func aNameMayStandBeforeTheAddress() async throws {
        #expect(try await search("Eagle, Quay 9").first?.name == "Eagle")
    }
}
