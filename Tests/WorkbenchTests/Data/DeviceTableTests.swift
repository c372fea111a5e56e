import Foundation
import Testing

@testable import Workbench

/// Tables as the sites of watches write them: names with blanks, dates with commas, paces, times without a unit.
struct DeviceTableTests {
    private static let garmin = """
        Activity Type,Distance,Calories,Time,Avg Pace,Total Ascent
        Running,10.02,"1,012",00:55:12,5:30,120
        Running,5.01,512,00:25:12,5:02,--
        Hiking,"1,200.5","2,812",10:25:12,12:30,"1,120"

        """
    private static let strava = """
        Activity ID,Activity Date,Distance
        1,"Sep 12, 2018, 3:02:23 PM","3,68"
        2,"Dec 1, 2018, 9:02:23 AM","10,44"
        3,"Jan 30, 2019, 10:02:23 PM","21,44"

        """

    /// The part of a fix that can be typed, behind a table.
    private func followed(_ data: DataSession, _ table: String, _ entry: String) async throws -> String {
        let result = await data.session.run("\(table) | \(entry)")
        let fix = try #require(result.failure?.fix)
        let steps = fix.components(separatedBy: ", or ")[0].replacingOccurrences(of: "… | ", with: "")
        return await data.run("\(table) | \(steps)")
    }

    /// Each refusal says what can be typed, and that gives the right value (by hand).
    @Test(arguments: [
        ("max 'Avg Pace'", "12h30min"), ("sum Calories", "4336"), ("max 'Total Ascent'", "1120"),
        ("sum Distance", "1215.53"), ("sum Time", "11h45min36s"), ("mean Calories", "1445.333333"),
    ])
    func whatIsRefusedSaysHow(entry: String, expected: String) async throws {
        let data = try DataSession(files: ["g.csv": Self.garmin])
        let value = try await followed(data, "open g.csv", entry)
        #expect(value.hasPrefix(expected), "\(entry): \(value)")
    }

    @Test func pacesAreOfferedBesideHours() async throws {
        let data = try DataSession(files: ["g.csv": Self.garmin])
        let shown = await data.run("open g.csv | max 'Avg Pace'")
        #expect(shown.contains("quantity(it[\"Avg Pace\"] + '/km')"), "\(shown)")
        let slowest = await data.run("open g.csv | each quantity(it[\"Avg Pace\"] + '/km') | max")
        #expect(slowest == "12:30/km")
        let clock = await data.run("quantity('5:30')")
        #expect(clock.contains("quantity('5:30/km')"), "\(clock)")
    }

    /// Hours are of any size: nothing traps.
    @Test func timersOfManyHours() async throws {
        let data = try DataSession()
        let many = await data.run("quantity('5000000000000000000:00:00') > 1d")
        #expect(many == "true")
        let none = await data.code("quantity('50000000000000000000:00:00')")
        #expect(none == "E-FUNCTION-KIND")
    }

    /// Dates with a comma before the time have no order by letters.
    @Test func datesWithCommas() async throws {
        let data = try DataSession(files: [
            "s.csv": Self.strava,
            "d.csv": "d\n\"09.12.2022, 15:24:49\"\n\"10.01.2023, 07:00:00\"\n\"01.02.2023, 07:00:00\"\n",
        ])
        let latest = try await followed(data, "open s.csv", "max 'Activity Date'")
        #expect(latest == "2019-01-30T22:02:23Z")
        let german = try await followed(data, "open d.csv", "max d")
        #expect(german == "2023-02-01T07:00:00Z")
        let notices = NoticeCollector()
        _ = await NoticeCollector.$current.withValue(notices) {
            await data.run("open s.csv | sort 'Activity Date' | first")
        }
        let said = notices.all.joined(separator: " ")
        #expect(said.contains("extend 'Activity Date'=date(it[\"Activity Date\"], "), "\(said)")
        let sum = try await followed(data, "open s.csv", "sum Distance")
        #expect(sum == "35.56")
    }

    /// A quoted name is text, which no row changes; a name of two words is no second argument.
    @Test func namesWithBlanksInConditions() async throws {
        let data = try DataSession(files: ["g.csv": Self.garmin])
        let quoted = await data.run("open g.csv | where 'Activity Type' == 'Hiking'")
        #expect(quoted.contains("it[\"Activity Type\"]"), "\(quoted)")
        let doubled = await data.code("open g.csv | where \"Activity Type\" == 'Hiking'")
        #expect(doubled == "E-TYPE")
        let bare = await data.run("open g.csv | where Activity Type == Hiking")
        #expect(bare.contains("it[\"Activity Type\"]"), "\(bare)")
        let right = await data.run("open g.csv | where it[\"Activity Type\"] == 'Hiking' | count")
        #expect(right == "1")
        let other = await data.run("[{name: x}] | where 'x' == name | count")
        #expect(other == "1")
    }

    /// Blanks behind separators are part of no cell, unless quotes keep them.
    @Test func blanksAroundTexts() async throws {
        let data = try DataSession(files: [
            "t.csv": "trip, stop\nA,  AURORA\nB,\" AURORA\"\n", "s.csv": "stop,n\nAURORA,1\n",
        ])
        let joined = await data.run("open t.csv | join (open s.csv) --on stop | get trip")
        #expect(joined == "A")
        let kept = await data.run("open t.csv | where trip == B | each length(stop)")
        #expect(kept == "7")
        let written = await data.run("[{a: ' x'}] | to csv | from csv | each length(a)")
        #expect(written == "2")
    }
}
