import CivilTime
import Geodesy
import PluginKit
import Testing

@testable import RoutingPlugin

/// Dates of maps, and what they say of an object on a day.
@Suite struct MapDateTests {
    @Test(arguments: [
        ("2014", "2014-01-01 2014-12-31"), ("2014-02", "2014-02-01 2014-02-28"),
        ("2014-03-22", "2014-03-22 2014-03-22"), ("2018-09-19 11:30", "2018-09-19 2018-09-19"),
        ("2018-09-19T11:30:00Z", "2018-09-19 2018-09-19"), ("23-07-2014", "2014-07-23 2014-07-23"),
        // The day or the month first.
        ("08/03/2014", "2014-03-08 2014-08-03"), ("~1850", "1840-01-01 1860-12-31"),
        ("1850?", "1840-01-01 1860-12-31"), ("1860s", "1860-01-01 1869-12-31"),
        ("1900s", "1900-01-01 1999-12-31"), ("C18", "1700-01-01 1800-12-31"),
        ("early C18", "1690-01-01 1810-12-31"), ("before 1910", "0000-01-01 1910-12-31"),
        ("after 2030", "2030-01-01 9999-12-31"), ("1914..1918", "1914-01-01 1918-12-31"),
    ])
    func spans(text: String, expected: String) throws {
        let date = try #require(MapDate(text))
        #expect("\(date.first.text) \(date.last.text)" == expected)
    }

    @Test(arguments: ["soon", "", "2014-13", "2014-02-30", "20", "yes", "..", "99/99/2014", "C", "s", "~"])
    func whatIsNoDate(text: String) { #expect(MapDate(text) == nil) }

    private let day = CivilDate(year: 2026, month: 2, day: 6)

    private func state(_ tags: [String: String]) -> LifeDates.State {
        LifeDates { tags[$0] }.state(on: day)
    }

    @Test func anEndInTheFutureIsNoEnd() {
        #expect(state(["end_date": "2030"]) == .there)
        #expect(state(["end_date": "2026-02-06"]) == .there)
        #expect(state(["end_date": "2026-02-05"]) == .gone("end_date=2026-02-05"))
        #expect(state(["end_date": "2026"]) == .unknown("end_date=2026"))
        #expect(state(["end_date": "soon"]) == .unknown("end_date=soon"))
    }

    @Test func anOpeningInTheFutureIsNotYet() {
        #expect(state(["opening_date": "2027"]) == .notYet("opening_date=2027"))
        #expect(state(["start_date": "2027-01"]) == .notYet("start_date=2027-01"))
        #expect(state(["start_date": "2026"]) == .there)
        #expect(state(["opening_date": "2026"]) == .unknown("opening_date=2026"))
        #expect(LifeDates { ["end_date": "1999"][$0] }.state(on: nil) == .unknown("end_date=1999"))
    }

    @Test func aWayHasDatesToo() {
        func verdict(_ tags: [String: String], year: Int?) -> AccessRules.Verdict {
            let now = year.map { LocalMoment(month: 2, day: 6, weekday: 5, minute: 600, year: $0) }
            return AccessRules.verdict({ tags[$0] }, mode: .hiking, now: now)
        }
        let path = ["highway": "path", "end_date": "2027"]
        #expect(verdict(path, year: 2026) == .open)
        #expect(verdict(path, year: 2028) == .closed("end_date=2027", unless: nil))
        #expect(verdict(path, year: nil) == .restricted("end_date=2027"))
        #expect(verdict(["opening_date": "2028"], year: 2026).isClosed)
        // The start of what is mapped is past: it says nothing any more.
        var tags = WayTags(["highway": "path", "start_date": "1999", "opening_date": "2028"])
        tags.dropStarts(before: day)
        #expect(tags["start_date"] == nil)
        #expect(tags["opening_date"] == "2028")
    }

    @Test func hoursKnowTheDates() {
        let moment = LocalMoment(month: 2, day: 6, weekday: 5, minute: 600, year: 2026)
        func state(_ tags: [String: String]) -> OpeningHours.State? {
            PlaceHours { tags[$0] }?.state(on: moment)
        }
        #expect(state(["end_date": "2019"]) == .closed)
        #expect(state(["end_date": "2030"]) == .open)
        #expect(state(["end_date": "soon", "opening_hours": "08:00-18:00"]) == .unknown)
        #expect(state(["end_date": "2030", "opening_hours": "off"]) == .closed)
        #expect(state(["end_date": "2030", "seasonal": "summer"]) == .unknown)
    }
}
