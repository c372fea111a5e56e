import CivilTime
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import RoutingPlugin
@testable import Workbench

/// Days of a route are lines with names.
@Suite struct StageTests {
    @Test func aDayIsALineWithAName() async throws {
        let test = try TestSession(plugins: { [RoutingPlugin()] })
        await test.run("let p = region sketch long 'A-----B-----C-----D' --column 200m --way ABCD")
        let value = try await test.value("route plan $p.A $p.D --name Ridge | route stages --hours 0.5")
        let rows = try #require(value.asRows).collect()
        let features = try GeoFeature.all(of: value)
        #expect(rows.count == 2)
        #expect(features.count == 2)
        for (number, feature) in features.enumerated() {
            guard case .line(let line) = feature.shape else {
                Issue.record("a day is no line")
                return
            }
            #expect(line.count > 1)
            guard case .text(let name)? = feature.field("name") else {
                Issue.record("a day has no name")
                return
            }
            #expect(name.hasPrefix("Ridge, day \(number + 1)"))
        }
    }

    private func stages(_ huts: [Double], days: Int) -> [StageSplit.Stage] {
        let line = [Coordinate(latitude: 47, longitude: 9), Coordinate(latitude: 47, longitude: 9.5)]
        let route = Route(
            PlannedRoute(
                id: UUID(), name: "Ridge", mode: .hiking, start: line[0], end: line[1], coordinates: line,
                distance: 10_000, duration: 10_000, gain: 0, loss: 0, createdAt: Timestamp(milliseconds: 0)))
        let places = huts.map { share in
            (
                share: share,
                lodging: StageSplit.Lodging(
                    name: "Hut \(Int(share * 100))", kind: "alpine_hut",
                    at: Coordinate(latitude: 47, longitude: 9 + share / 2))
            )
        }
        var trace = TraceLog(limit: 0)
        return BalancedStages(RouteClock(route, line), huts: places, days: days).stages(trace: &trace)
    }

    @Test func daysOfEqualTimeEndAtTheNearestHuts() {
        let days = stages([0.2, 0.3, 0.35, 0.6, 0.7, 0.9], days: 3)
        #expect(days.map { $0.lodging?.name } == ["Hut 35", "Hut 70", nil])
        #expect(abs(days.reduce(0) { $0 + $1.seconds } - 10_000) < 1e-6)
        #expect(days.first?.from == 0 && days.last?.to == 1)
    }

    @Test func withoutAHutNearADayEndsOnTheRoute() {
        let days = stages([0.05], days: 2)
        #expect(days.count == 2)
        #expect(days[0].lodging == nil && abs(days[0].to - 0.5) < 1e-6)
    }

    /// More days than huts: none is lost, none is empty.
    @Test func thereAreAsManyDaysAsAskedFor() {
        for count in 2...12 {
            let days = stages([0.5, 0.5, 0.9], days: count)
            #expect(days.count == count)
            #expect(days.allSatisfy { $0.seconds > 0 })
        }
    }

    @Test func eachDayIsARouteOfItsOwn() async throws {
        let test = try TestSession(plugins: { [RoutingPlugin()] })
        await test.run("let p = region sketch bent 'A-----B\n      |\nD-----C' --column 400m --way ABCD")
        await test.run("let days = route plan $p.A $p.D --name Ridge | route stages --days 2")
        #expect(await test.run("$days | route save | get name").split(separator: "\n").count == 2)
        #expect(await test.run("route list | count") == "2")
        // The instructions of the whole, with a start and an arrival of their own.
        let words = await test.run("$days | last | route turns | get text")
        #expect(words.hasPrefix("Head ") && words.hasSuffix("Arrive"))
        let whole = await test.run("route plan $p.A $p.D | route turns | count")
        let first = await test.run("$days | first | route turns | count")
        let second = await test.run("$days | last | route turns | count")
        // Start and arrival are counted twice.
        #expect(Int(first).map { $0 + (Int(second) ?? 0) - 2 } == Int(whole))
        #expect(await test.run("undo") != "")
        #expect(await test.run("route list | count") == "0")
        #expect(await test.run("$days | route save One").contains("one name for 2 routes"))
    }

    @Test func hoursAndDaysExcludeEachOther() async throws {
        let test = try TestSession(plugins: { [RoutingPlugin()] })
        await test.run("let p = region sketch long 'A-----B' --column 200m --way AB")
        let words = await test.run("route plan $p.A $p.B | route stages --hours 2 --days 2")
        #expect(words.contains("--hours and --days cannot be combined"))
    }

    private func moment(_ month: Int, _ day: Int) -> LocalMoment {
        LocalMoment(month: month, day: day, weekday: 3, minute: 480, year: 2026)
    }

    /// Expected states by the specification of `opening_hours`.
    @Test(
        arguments: [
            (["opening_hours": "Jun-Sep"], 7, OpeningHours.State.open),
            (["opening_hours": "Jun-Sep"], 5, .closed),
            (["opening_hours": "Jun-Sep 08:00-10:00"], 7, .open),
            (["seasonal": "summer"], 7, .unknown), (["intermittent": "yes"], 7, .unknown),
            (["opening_hours": "when the bell rings"], 7, .unknown),
            (["seasonal": "yes", "opening_hours": "Jul"], 7, .open),
        ] as [([String: String], Int, OpeningHours.State)])
    func hoursOfAPlaceOnADay(tags: [String: String], month: Int, state: OpeningHours.State) throws {
        let hours = try #require(PlaceHours { tags[$0] })
        #expect(hours.state(on: moment(month, 15)) == state)
        #expect(hours.state(on: nil) == .unknown)
        #expect(PlaceHours(stored: hours.stored) == hours)
    }

    @Test func whatIsAlwaysThereHasNoHours() {
        let tags = ["opening_hours": "24/7", "seasonal": "no"]
        #expect(PlaceHours { tags[$0] } == nil)
    }

    private static let hutMap = """
        <osm version="0.6">
          <node id="1" lat="47.0" lon="9.0"/><node id="2" lat="47.0" lon="9.1"/>
          <node id="3" lat="47.0" lon="9.2"/>
          <node id="4" lat="47.0001" lon="9.09"><tag k="tourism" v="alpine_hut"/><tag k="name" v="Summer Hut"/><tag k="opening_hours" v="Jun-Sep"/></node>
          <node id="5" lat="47.0001" lon="9.08"><tag k="tourism" v="alpine_hut"/><tag k="name" v="Low Hut"/></node>
          <node id="6" lat="47.0001" lon="9.02"><tag k="amenity" v="drinking_water"/><tag k="opening_hours" v="Apr-Oct"/></node>
          <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="path"/><tag k="name" v="Ridge Way"/></way>
        </osm>
        """

    /// In January the nearer hut is the last one that is open; whoever names no date is told of the hours.
    @Test(arguments: ["--hours 2.5", "--days 2"])
    func aDayDoesNotEndAtAClosedHut(option: String) async throws {
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(Self.hutMap.utf8)])
        #expect(await test.result("region import map.osm").failure == nil)
        await test.run("let r = route plan 47.0,9.0 47.0,9.2 --name Long")
        func first(_ at: String) async -> String {
            await test.run("$r | route stages \(option) \(at) | first | get to")
        }
        #expect(await first("--at 2026-07-15T08:00:00Z") == "Summer Hut")
        #expect(await first("--at 2026-01-15T08:00:00Z") == "Low Hut")
        #expect(
            await test.run("$r | route stages \(option) --at 2026-01-15T08:00:00Z").contains(
                "closed on these days: Summer Hut (Jun-Sep)"))
        #expect(await test.run("$r | route stages \(option)").contains("--at DATE"))
        let water = "$r | route stages \(option) --at"
        #expect(await test.run("\(water) 2026-07-15T08:00:00Z | first | get water") == "1")
        #expect(await test.run("\(water) 2026-01-15T08:00:00Z | first | get water") == "0")
        let begin = "$r | route stages \(option) | last | route turns | first | get text"
        #expect(await test.run(begin) == "Head east on Ridge Way")
    }
}
