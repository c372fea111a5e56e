import Core
import Foundation
import Testing

@Suite struct ZoneNameTests {
    /// `BST` is no name of the tz database: a guess would show the times of another continent.
    @Test(arguments: ["BST", "IST", "PST", "CST", "CEST", "JST", "Nowhere/Town", ""])
    func abbreviationsAreRefused(_ name: String) { #expect(TimeZone(databaseName: name) == nil) }

    @Test(arguments: [
        ("UTC", 0), ("CET", 3600), ("EST", -18_000), ("Europe/Zurich", 3600), ("Japan", 32_400),
        ("NZ", 46_800),
        ("PST8PDT", -28_800),
    ])
    func namesOfTheDatabase(_ name: String, _ offset: Int) throws {
        let zone = try #require(TimeZone(databaseName: name))
        #expect(zone.secondsFromGMT(for: Date(timeIntervalSince1970: 1_767_225_600)) == offset)
    }
}
