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
}
