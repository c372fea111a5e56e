import PluginTestKit
import Testing

@testable import TransitPlugin

/// What an alert says reaches every layer that shows its line, stop or trip; expected layers are by the selectors' meaning.
@Suite struct AlertLayerTests {
    private static func alert(
        _ header: String, _ entity: Proto, from: String = "", until: String = ""
    ) -> (field: Int, message: Proto) {
        var period = Proto()
        if !from.isEmpty { period = period.number(1, StreetFeed.moment(from)) }
        if !until.isEmpty { period = period.number(2, StreetFeed.moment(until)) }
        let alert = period.bytes.isEmpty ? Proto() : Proto().message(1, period)
        return (5, alert.message(5, entity).message(10, Proto().message(1, Proto().text(1, header))))
    }

    private static let line = Proto().text(2, "r1")

    @Test func timetablesAndLinesHaveTheirAlerts() async throws {
        let session = try await StreetFeed.session(with: [
            Self.alert("Whole line", Self.line), Self.alert("Other line", Proto().text(2, "r2")),
            Self.alert("At Gamma", Self.line.text(5, "C")),
            Self.alert("This run", Proto().message(4, Proto().text(1, "t2"))),
            Self.alert("Back", Self.line.number(6, 1)), Self.alert("Night", Self.line, until: "02:00"),
        ])
        let table = await session.run("line timetable 1")
        for told in ["1: Whole line", "1: At Gamma", "This run", "Night"] {
            #expect(table.contains(told), "\(told): \(table)")
        }
        #expect(!table.contains("Other line") && !table.contains("Back"), "\(table)")
        let tomorrow = await session.run("line timetable 1 --at 2026-02-07")
        #expect(tomorrow.contains("Whole line") && !tomorrow.contains("Night"), "\(tomorrow)")
        let line = await session.run("line show 1 | get alerts")
        #expect(line.contains("1: Whole line") && line.contains("1: Back"), "\(line)")
        #expect(!line.contains("Gamma") && !line.contains("run"), "\(line)")
        #expect(await session.run("line show 1 | get agency") == "City Bus")
    }

    /// Alerts about stops and lines that were dropped from the timetable are on no board: their list says why.
    @Test func whatTheTimetableLacksIsSaid() async throws {
        let session = try await StreetFeed.session(with: [
            Self.alert("Closed", Self.line.text(5, "old")), Self.alert("At Gamma", Self.line.text(5, "C")),
        ])
        #expect(
            await session.run("feed alerts | first | get scope")
                == "1, stop old, stop old is not in the timetable")
        #expect(!(await session.run("feed alerts | last | get scope").contains("not in the timetable")))
    }

    /// A ride that is under way when an alert takes effect is concerned; one that ends before is not.
    @Test(arguments: [
        ("08:15", "09:00", true), ("08:29", "", true), ("08:31", "", false), ("", "08:00", false),
        ("", "08:01", true),
        // When it is in force is unknown.
        ("08:25", "08:05", true),
    ])
    func partsOfARide(from: String, until: String, isTold: Bool) async throws {
        let session = try await StreetFeed.session(with: [
            Self.alert("Works", Self.line, from: from, until: until)
        ])
        let legs = await session.run("journey plan @A @D --at 07:58 | first | get legs | to json")
        #expect(legs.contains("Works") == isTold, "\(legs)")
        #expect(await session.run("trip show t1").contains("Works") == isTold)
    }

    /// A late run is concerned until it really ends: half an hour late, t1 is on its way from 08:30 to 09:00.
    @Test(arguments: [("08:40", "", true), ("", "08:20", false)])
    func lateRuns(from: String, until: String, isTold: Bool) async throws {
        let update = Proto.update(
            Proto.trip("t1", day: StreetFeed.day), [Proto.call(1, departure: 1800)])
        let session = try await StreetFeed.session(with: [
            update, Self.alert("Works", Self.line, from: from, until: until),
        ])
        #expect(await session.run("trip show t1").contains("Works") == isTold)
    }

    /// The last run of the day is under way after midnight, from 00:05 to 00:40.
    @Test(arguments: [("24:10", true), ("24:45", false)])
    func timetablesAfterMidnight(from: String, isTold: Bool) async throws {
        let night: StreetFeed.Trip = ("n1", "r1", "s", "0", "", "A 24:05;B 24:20;D 24:40")
        let session = try await StreetFeed.session(
            StreetFeed.tables(StreetFeed.trips + [night]), with: [Self.alert("Works", Self.line, from: from)])
        #expect(await session.run("line timetable 1").contains("Works") == isTold)
    }
}
