import CivilTime
import Core
import Foundation
import Geodesy
import PhotoFixtures
import PluginTestKit
import Testing

@testable import Photos
@testable import Pictures

/// Times of photos without an offset, by the zone of the place. Expected zones are those of timezonefinder.
@Suite(.needs(.zones), .needs(.photos)) struct PlaceZoneTests {
    private func time(_ taken: String) throws -> PhotoTime {
        var info = PhotoInfo(kind: .jpeg, width: 1, height: 1, orientation: .topLeft)
        info.taken = taken
        return try #require(PhotoTime(info))
    }

    private func reading(
        _ taken: String, _ latitude: Double, _ longitude: Double, session: String = "Asia/Tokyo"
    ) throws -> (zone: PhotoTime.Zone, words: String, moment: String) {
        let zone = try #require(TimeZone(identifier: session))
        let found = try #require(
            try time(taken).reading(near: Coordinate(latitude: latitude, longitude: longitude), session: zone)
        )
        return (found.zone, found.words, ISO8601.text(found.moment))
    }

    @Test(arguments: [
        (46.5, 7.9, "Europe/Zurich"), (43.467, 11.885, "Europe/Rome"), (27.7, 85.3, "Asia/Kathmandu"),
        (-33.87, 151.21, "Australia/Sydney"), (64.1, -21.9, "Atlantic/Reykjavik"),
        (40.0, -105.3, "America/Denver"),
    ])
    func knownZones(latitude: Double, longitude: Double, zone: String) {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        #expect(PlaceZones.candidates(at: place).map(\.identifier) == [zone])
    }

    @Test func nothingIsKnownAtSeaAndBeyondTheEarth() {
        for (latitude, longitude) in [(0.5, 0.5), (89.9, 10), (-89, 0), (91, 0), (46, 181), (.nan, 0)] {
            #expect(PlaceZones.candidates(at: Coordinate(latitude: latitude, longitude: longitude)).isEmpty)
        }
    }

    @Test func theZoneOfThePlaceCounts() throws {
        let winter = try reading("2026:02:06 08:15:30", 46.5, 7.9)
        #expect(winter == (.place, "Europe/Zurich", "2026-02-06T07:15:30Z"))
        #expect(
            try reading("2026:07:06 08:15:30", 46.5, 7.9) == (.place, "Europe/Zurich", "2026-07-06T06:15:30Z")
        )
        #expect(
            try reading("2026:02:06 08:15:30", 0.5, 0.5) == (
                .assumed, "Asia/Tokyo assumed", "2026-02-05T23:15:30Z"
            ))
    }

    /// Clocks are changed on 29 March and 25 October 2026.
    @Test func hoursThatAreSkippedOrRepeated() throws {
        #expect(
            try reading("2026:10:25 02:30:00", 46.5, 7.9)
                == (.place, "Europe/Zurich, an hour that is repeated", "2026-10-25T00:30:00Z"))
        #expect(
            try reading("2026:03:29 02:30:00", 46.5, 7.9)
                == (.place, "Europe/Zurich, an hour that is skipped", "2026-03-29T01:30:00Z"))
        for (taken, moment) in [
            ("2026:03:29 01:59:59", "2026-03-29T00:59:59Z"), ("2026:03:29 03:00:00", "2026-03-29T01:00:00Z"),
            ("2026:10:25 01:59:59", "2026-10-24T23:59:59Z"), ("2026:10:25 03:00:00", "2026-10-25T02:00:00Z"),
        ] {
            #expect(try reading(taken, 46.5, 7.9) == (.place, "Europe/Zurich", moment))
        }
        // The session's clock, which is assumed, is changed too: 8 March and 1 November 2026.
        #expect(
            try reading("2026:11:01 01:30:00", 0.5, 0.5, session: "America/New_York")
                == (.assumed, "America/New_York assumed, an hour that is repeated", "2026-11-01T05:30:00Z"))
    }

    /// Between Botswana and South Africa, whose clocks agree, and on the Guadiana, between Portugal and Spain, whose do not.
    @Test func bordersBetweenZones() throws {
        #expect(
            try reading("2026:02:06 08:15:30", -25.986, 20.755)
                == (.place, "Africa/Gaborone or Africa/Johannesburg", "2026-02-06T06:15:30Z"))
        let river = try reading("2026:02:06 08:15:30", 37.2, -7.41, session: "UTC")
        #expect(river == (.assumed, "UTC assumed, at a border between zones", "2026-02-06T08:15:30Z"))
    }
}
