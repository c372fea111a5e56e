import PluginTestKit
import Testing

@testable import TransitPlugin

/// Journeys for programs, and what is said of stops that no trip serves.
@Suite struct JourneyFormTests {
    /// Three stops in a line: a trip and a journey are lines of GeoJSON.
    @Test func linesOfGeoJSON() async throws {
        let session = try await StreetFeed.session()
        let trip = await session.run("trip show t1 | to geojson")
        #expect(trip.contains("LineString"), "\(trip)")
        let journey = await session.run("journey plan @A @D | first | to geojson")
        #expect(journey.contains("LineString"), "\(journey)")
    }

    /// Echo is a stop, but no trip calls there.
    @Test func aStopWithoutTrips() async throws {
        let session = try await StreetFeed.session()
        let answer = await session.run("journey plan @A @E")
        let words = "no trip calls at the stop of the destination, and no stop with trips lies within 800m"
        #expect(answer.contains(words), "\(answer)")
    }

    /// Marks that turn the direction of text are not written raw.
    @Test func namesWithMarks() async throws {
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon\nA,Alpha,50.00,8\nB,\u{202E}ateB\u{202C},50.02,8\n"
            + "C,Gamma,50.04,8\nD,Delta,50.06,8\nE,Echo,50.04,8.04\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables(StreetFeed.trips, ["stops.txt": stops]))
        for entry in ["journey plan @A @B | first", "trip show t1"] {
            let text = await session.run(entry)
            #expect(text.contains("ateB"), "\(text)")
            #expect(!text.unicodeScalars.contains("\u{202E}"), "\(text)")
        }
    }
}
