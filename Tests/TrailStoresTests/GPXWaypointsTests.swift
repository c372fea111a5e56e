import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Waypoints as `wpt` elements and back.
struct GPXWaypointsTests {
    @Test func theElementOfAWaypoint() {
        let point = GPXWaypoints.point(Fixture.waypoint())
        #expect(point.coordinate == Coordinate(latitude: 46.5763, longitude: 7.9904, altitude: 1973))
        #expect(point.time == Fixture.moment)
        #expect(
            [point.name, point.description, point.type, point.symbol] == [
                "Hut", "closed in winter", "shelter", "Shelter",
            ])
        var unknown = Fixture.waypoint(label: "")
        unknown.rawCategory = "geocache"
        unknown.note = ""
        let bare = GPXWaypoints.point(unknown)
        #expect([bare.name, bare.description, bare.type, bare.symbol] == [nil, nil, "geocache", "geocache"])
    }

    @Test(arguments: [
        ("shelter", nil, "shelter"), ("SHELTER", nil, "shelter"), (nil, "Water", "waterSource"),
        ("waterSource", "Danger", "waterSource"), (nil, "Campground", "campsite"),
        (nil, "Summit", "viewpoint"),
        (nil, "Skull and Crossbones", "danger"), ("unheard of", "Lodge", "shelter"), (nil, nil, "custom"),
        ("Trail Marker", nil, "trailMarker"), (nil, "Parking Area", "parking"), (nil, "Restaurant", "food"),
    ])
    func categories(type: String?, symbol: String?, expected: String) {
        let point = GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2), symbol: symbol, type: type)
        let waypoint = GPXWaypoints.waypoint(point, id: Fixture.id)
        #expect(waypoint.rawCategory == expected)
    }

    @Test func everyCategoryGoesRound() {
        for category in WaypointCategory.all {
            var waypoint = Fixture.waypoint()
            waypoint.rawCategory = category.raw
            let again = GPXWaypoints.waypoint(
                GPXWaypoints.point(waypoint), id: waypoint.id)
            #expect(again == waypoint)
        }
    }

    @Test func aCategoryThatIsNotOneOfTheNineGoesRoundToo() {
        var waypoint = Fixture.waypoint()
        waypoint.rawCategory = "geocache"
        let point = GPXWaypoints.point(waypoint)
        #expect(GPXWaypoints.waypoint(point, id: waypoint.id).rawCategory == "geocache")
    }

    @Test(arguments: [
        (nil, nil, "custom"), ("user", nil, "custom"), ("geocache", nil, "geocache"),
        ("user", "Campground", "campsite"),
        ("Bakery", nil, "bakery"), (nil, "Bakery", "bakery"), ("two\nlines", nil, "custom"),
        (String(repeating: "x", count: 41), nil, "custom"),
    ])
    func theTypeOfAnElementIsACategory(type: String?, symbol: String?, expected: String) {
        let own = CategoryList(own: [
            WaypointCategory(raw: "bakery", displayName: "Bakery", colorHex: "A0522D", icon: "mappin")
        ])
        #expect(GPXWaypoints.category(type: type, symbol: symbol, in: own) == expected)
    }

    /// Neither the time of the import nor that of a hike is made up for it, and none is written.
    @Test func aTimeThatAnElementLeavesOutStaysUnknown() {
        let waypoint = GPXWaypoints.waypoint(
            GPXPoint(coordinate: Coordinate(latitude: 1, longitude: 2)), id: Fixture.id)
        #expect(
            waypoint
                == Waypoint(
                    id: Fixture.id, coordinate: Coordinate(latitude: 1, longitude: 2),
                    timestamp: Waypoint.unknownTime))
        #expect(waypoint.time == nil)
        #expect(GPXWaypoints.point(waypoint).time == nil)
    }
}
