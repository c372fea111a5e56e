import Foundation
import Testing

@testable import rutter

/// What TZ means, by POSIX and the tz database; the offsets are those of `date +%z`.
struct SystemZoneTests {
    @Test(arguments: [
        ("UTC+2", -7200), ("GMT-5", 18_000), ("EST5", -18_000), ("IST-5:30", 19_800), ("<+03>-3", 10_800),
        ("Etc/GMT-5", 18_000), (":Asia/Tokyo", 32_400), ("/usr/share/zoneinfo/Asia/Tokyo", 32_400),
        ("posix/Asia/Tokyo", 32_400), ("", 0), ("UTC", 0), ("CET", 3600), ("MST", -25_200),
    ])
    func offsetsAsTheSystemHasThem(_ written: String, _ seconds: Int) {
        let read = SystemZone(written)
        #expect(read.zone.secondsFromGMT(for: Date(timeIntervalSince1970: 1_767_225_600)) == seconds)
        #expect(read.warning == nil)
    }

    /// Times are in UTC, as for other programs, and this is said.
    @Test(arguments: [
        "CET-1CEST", "CET-1CEST,M3.5.0,M10.5.0/3", "+02:00", "Foo/Bar", " Europe/Berlin", "/nowhere",
        "UTC+99", "BST", "IST", "PST", "JST-9:99",
    ])
    func whatIsNotReadIsSaid(_ written: String) {
        let read = SystemZone(written)
        #expect(read.zone.secondsFromGMT() == 0)
        #expect(read.warning?.contains("TZ=\(written)") == true)
    }
}
