import CivilTime
import Foundation
import Testing

/// Day numbers and moments from `date -u -d … +%s` of GNU coreutils.
@Suite struct CivilTimeTests {
    @Test(
        "days since 1970",
        arguments: [
            (1970, 1, 1, 0), (2000, 2, 29, 11_016), (2026, 2, 6, 20_490), (1969, 12, 31, -1),
            (1900, 3, 1, -25_508), (2100, 2, 28, 47_540), (1, 1, 1, -719_162), (9999, 12, 31, 2_932_896),
        ])
    func days(year: Int, month: Int, day: Int, days: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        #expect(date.daysSinceEpoch == days)
        #expect(CivilDate(daysSinceEpoch: days) == date)
    }

    @Test("days and dates are each other's inverse, and follow each other, for a thousand years")
    func inverse() {
        var last = CivilDate(daysSinceEpoch: -180_001)
        for days in -180_000...180_000 {
            let date = CivilDate(daysSinceEpoch: days)
            #expect(date > last && date.daysSinceEpoch == days)
            last = date
        }
    }

    @Test(
        "days that do not exist",
        arguments: [(2026, 2, 29), (1900, 2, 29), (2026, 13, 1), (2026, 4, 31), (2026, 1, 0)])
    func missing(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test(
        "moments are read",
        arguments: [
            ("2026-02-06T08:15", 1_770_365_700_000), ("2026-02-06T08:15:00Z", 1_770_365_700_000),
            ("2026-02-06T09:15:00+01:00", 1_770_365_700_000), ("2026-02-06 08:15:00.1234", 1_770_365_700_123),
            ("2026-02-06T02:45-05:30", 1_770_365_700_000), ("1969-12-31T23:59:59.999Z", -1),
        ])
    func reading(text: String, milliseconds: Int64) {
        #expect(ISO8601.timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(
        "what is no moment",
        arguments: [
            "", "2026", "2026-02-06", "2026-02-30T08:00", "2026-02-06T24:00", "2026-02-06T08:60",
            "2026-02-06T08:15+25:00", "2026-02-06T08:15x", "2026-02-06T08:15:", "2026-02-06T08:15:00.",
            "２０２６-02-06T08:15",
        ])
    func notReading(text: String) { #expect(ISO8601.timestamp(text) == nil) }

    @Test(
        "moments are written with the offset, with its seconds where it has any",
        arguments: [
            (0, "2026-02-06T08:15:00Z"), (3600, "2026-02-06T09:15:00+01:00"),
            (-12_600, "2026-02-06T04:45:00-03:30"), (2048, "2026-02-06T08:49:08+00:34:08"),
            (-2670, "2026-02-06T07:30:30-00:44:30"),
        ])
    func writing(offset: Int, text: String) {
        #expect(ISO8601.text(Timestamp(milliseconds: 1_770_365_700_000), offsetSeconds: offset) == text)
    }

    @Test("what is written is read as the same moment, in every zone")
    func roundTrip() {
        for step in 0..<2000 {
            let moment = Timestamp(milliseconds: Int64(step) * 123_456_789_123 - 60_000_000_000_000)
            let text = ISO8601.text(moment, offsetSeconds: (step % 49 - 24) * 1801)
            #expect(ISO8601.timestamp(text) == moment, "\(text)")
        }
    }

    @Test("time stops at the ends of its range")
    func ends() {
        #expect(Timestamp(milliseconds: .max).advanced(bySeconds: 1).milliseconds == .max)
        #expect(Timestamp(milliseconds: .min).advanced(bySeconds: -1e300).milliseconds == .min)
        #expect(Timestamp(seconds: .infinity) == nil)
        #expect(Timestamp(milliseconds: 0).advanced(bySeconds: .nan).milliseconds == .max)
    }
}

/// Written times and the moments they mean.
@Suite struct LocalTimeTests {
    // 2026-02-06T23:30:00Z: already the next day in Berlin, the same in New York.
    private let now = Timestamp(milliseconds: 1_770_420_600_000)

    @Test(arguments: [
        ("08:00", "Europe/Berlin", "2026-02-07T07:00:00Z"),
        ("08:00", "America/New_York", "2026-02-06T13:00:00Z"),
        ("today", "Europe/Berlin", "2026-02-06T23:00:00Z"),
        ("tomorrow", "America/New_York", "2026-02-07T05:00:00Z"),
        ("2026-07-01", "Europe/Berlin", "2026-06-30T22:00:00Z"),
        ("now", "Asia/Tokyo", "2026-02-06T23:30:00Z"),
        // Clocks go from 02:00 to 03:00; the reading that does not exist uses the offset before.
        ("2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00Z"),
        // Clocks go back at 03:00; of the two readings the first is meant.
        ("2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00Z"),
    ])
    func moments(text: String, zone: String, expected: String) throws {
        let written = try #require(LocalTime(text: text))
        let zone = try #require(TimeZone(identifier: zone))
        #expect(ISO8601.text(written.moment(now: now, in: zone)) == expected)
    }

    @Test(
        arguments: [
            ("2026-03-29T01:59", "Europe/Berlin", nil), ("2026-03-29T02:00", "Europe/Berlin", "skipped"),
            ("2026-03-29T02:59", "Europe/Berlin", "skipped"), ("2026-03-29T03:00", "Europe/Berlin", nil),
            ("2026-10-25T01:59", "Europe/Berlin", nil),
            ("2026-10-25T02:00", "Europe/Berlin", "2026-10-25T01:00:00Z"),
            ("2026-10-25T02:59", "Europe/Berlin", "2026-10-25T01:59:00Z"),
            ("2026-10-25T03:00", "Europe/Berlin", nil), ("now", "Europe/Berlin", nil),
            // The clocks of Lord Howe Island change by half an hour.
            ("2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T15:15:00Z"),
            ("2026-10-04T02:15", "Australia/Lord_Howe", "skipped"),
        ] as [(String, String, String?)])
    func timesThatClocksSkipOrShowTwice(text: String, zone: String, expected: String?) throws {
        let written = try #require(LocalTime(text: text))
        let zone = try #require(TimeZone(identifier: zone))
        let found =
            switch written.clockChange(now: now, in: zone) {
            case nil: nil as String?
            case .skipped: "skipped"
            case .repeated(let second): ISO8601.text(second)
            }
        #expect(found == expected)
    }

    /// The sixth of February 2026 is a Friday, in Berlin already Saturday.
    @Test(arguments: [
        ("tomorrow 22:00", "2026-02-07T22:00:00Z"), ("22:00 tomorrow", "2026-02-07T22:00:00Z"),
        ("today at 8:15", "2026-02-06T08:15:00Z"), ("yesterday, 22h30", "2026-02-05T22:30:00Z"),
        ("Friday 8am", "2026-02-06T08:00:00Z"), ("thu 8:15 pm", "2026-02-12T20:15:00Z"),
        ("12am", "2026-02-06T00:00:00Z"), ("12:30pm", "2026-02-06T12:30:00Z"),
        ("noon", "2026-02-06T12:00:00Z"), ("22h", "2026-02-06T22:00:00Z"),
        ("2026-02-09 8:15", "2026-02-09T08:15:00Z"), ("in 2 hours", "2026-02-07T01:30:00Z"),
        ("in 1h 30min", "2026-02-07T01:00:00Z"), ("+20min", "2026-02-06T23:50:00Z"),
        ("sunday", "2026-02-08T00:00:00Z"),
    ])
    func timesAsPeopleTypeThem(text: String, expected: String) throws {
        let written = try #require(LocalTime(text: text))
        #expect(ISO8601.text(written.moment(now: now, in: .gmt)) == expected)
    }

    @Test func theNextFridayIsThatOfTheZone() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let written = try #require(LocalTime(text: "friday 8:00"))
        #expect(ISO8601.text(written.moment(now: now, in: zone)) == "2026-02-13T07:00:00Z")
    }

    @Test(arguments: [
        "next friday", "12/02", "12.02.2026", "8", "tomorrow 25:00", "13pm", "0am", "fr 8:00",
        "in 3 furlongs",
        "tomorrow tomorrow", "8:00 9:00", "in", "+", "22h99", "noon noon", "in 9999999 h",
    ])
    func whatCouldMeanTwoThingsIsNotRead(text: String) { #expect(LocalTime(text: text) == nil) }

    @Test(arguments: ["", "8", "25:00", "08:00Z", "2026-02-30", "2026-02-06T08:00+01:00", "soon"])
    func otherTexts(text: String) { #expect(LocalTime(text: text) == nil) }
}

/// What clocks show at an instant.
@Suite struct CivilDateTimeTests {
    /// Expected by `TZ=… date -d …` of GNU coreutils.
    @Test(arguments: [
        ("2026-02-06T23:30:00Z", "Europe/Berlin", "2026-02-07", 30),
        ("2026-02-06T23:30:00Z", "America/New_York", "2026-02-06", 1110),
        ("1969-12-31T23:59:59.999Z", "UTC", "1969-12-31", 1439),
        ("2026-07-01T00:00:00Z", "Asia/Kathmandu", "2026-07-01", 345),
    ])
    func clocks(text: String, zone: String, day: String, minutes: Int) throws {
        let moment = try #require(ISO8601.timestamp(text))
        let local = moment.civil(in: try #require(TimeZone(identifier: zone)))
        #expect(local.date.text == day)
        #expect(local.minutesOfDay == minutes)
    }

    @Test func theExtremesDoNotTrap() {
        for milliseconds in [Int64.min, .max] {
            for offset in [-3600, 0, 3600] {
                let local = Timestamp(milliseconds: milliseconds).civil(offset: offset)
                #expect((0..<86_400_000).contains(local.millisecondsOfDay))
            }
        }
    }

    @Test func daysHaveText() {
        #expect(CivilDate(year: 33, month: 4, day: 3)?.text == "0033-04-03")
        #expect(CivilDate(year: -44, month: 3, day: 15)?.text == "-0044-03-15")
        #expect(CivilDate(daysSinceEpoch: 0).advanced(by: -1).text == "1969-12-31")
    }

    @Test func universalTimeHasOneName() throws {
        #expect(try #require(TimeZone(secondsFromGMT: 0)).displayName == "UTC")
        #expect(try #require(TimeZone(identifier: "Europe/Zurich")).displayName == "Europe/Zurich")
    }
}
