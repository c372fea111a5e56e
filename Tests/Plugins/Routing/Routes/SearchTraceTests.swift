import Geodesy
import Pictures
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// The trace of a search has a start and an end, reports the actual changes, and its pictures use its
/// names.
@Suite struct SearchTraceTests {
    /// Grass costs 1.4 times as much as asphalt: the way from A to L leads around the edge.
    private static let grid = """
        region sketch grid '
        A----B----C----D
        |    |    |    |
        |    |    |    |
        E----F----G----H
        |    |    |    |
        |    |    |    |
        J----K----L----M
        ' --way 'ABCD surface=asphalt' --way 'EFGH surface=grass' --way 'JKLM surface=asphalt' \
        --way 'AEJ surface=asphalt' --way 'BFK surface=grass' --way 'CGL surface=grass' --way 'DHM surface=asphalt'
        """

    private func session() async throws -> TestSession {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        await session.run("let p = " + Self.grid)
        return session
    }

    @Test(arguments: SearchMethod.allCases)
    func aTraceBeginsAndEndsWithWhatWasFound(_ method: SearchMethod) async throws {
        let session = try await session()
        let command = "route plan $p.A $p.L --method \(method.rawValue)"
        await session.run("let t = trace \(command)")
        #expect(await session.run("$t | first | get kind") == "start")
        #expect(await session.run("$t | last | get kind") == "end")
        // By hand: 300 m down twice and 250 m along twice, all asphalt.
        #expect(await session.run("$t | last | get way") == "A\nE\nJ\nK\nL")
        #expect(await session.run("$t | last | get cost") == "1100")
        #expect(await session.run("\(command) | get cost") == "1100")
    }

    @Test func whatImprovedIsShownToBeLess() async throws {
        let session = try await session()
        await session.run("let t = trace route plan $p.A $p.L")
        // K is reached from F first, over grass, and then from J; G from F and then from C.
        #expect(await session.run("$t | where outcome == improved | get node") == "K\nG")
        #expect(await session.run("$t | where outcome == improved and new < old | count") == "2")
    }

    @Test func costsThatWouldLookTheSameAreShownFiner() {
        var trace = ReadableTrace(limit: 10, names: NodeNames(letters: ""))
        func relax(_ old: Double, _ new: Double) -> TraceStep {
            TraceStep("relax", [("old", .number(old)), ("new", .number(new))], why: "less")
        }
        for (old, new) in [(3075.52, 3075.48), (10.04, 8), (1, 1 - 1e-12)] { trace.record(relax(old, new)) }
        func numbers(_ key: String) -> [Double] {
            trace.log.steps.compactMap {
                if case .number(let number)? = $0.values[key] { number } else { nil }
            }
        }
        #expect(numbers("old") == [3075.52, 10, 1])
        #expect(numbers("new") == [3075.48, 8, 1])
        #expect(trace.log.steps.map { $0.why.contains("millionth") } == [false, false, true])
    }

    private func text(_ value: Value) -> String {
        switch value {
        case .text(let text): text
        case .integer(let number): String(number)
        default: ""
        }
    }

    @Test func copiesOfANodeHaveNamesOfTheirOwn() {
        let names = NodeNames(letters: "AB")
        let copy = 2 - Int(RegionNetwork.copyStep)
        #expect(text(names.value(2)) == "B")
        #expect(text(names.value(copy)) == "B'")
        #expect(names.id(names.value(copy)) == Int64(copy))
        #expect(text(names.value(77)) == "77")
    }

    @Test(arguments: SearchMethod.allCases)
    func picturesUseTheNamesOfTheText(_ method: SearchMethod) async throws {
        let session = try await session()
        await session.run("step route plan $p.A $p.L --method \(method.rawValue); step to -1")
        let map = await session.run("step picture | map --rows 14")
        for letter in ["A", "E", "L"] { #expect(map.contains(letter), "\(letter) is named") }
        #expect(map.contains("> start"))
        #expect(map.contains("cheapest way so far"))
        if method == .bidirectional { #expect(map.contains("from the end")) }
        if method == .aStar || method == .dijkstra { #expect(!map.contains("from the end")) }
    }

    /// Without colour: each kind of mark has a shape and a character of its own.
    @Test func kindsOfMarksDifferInShape() {
        let styles = [
            SearchLook.settled(.forward, ""), SearchLook.settled(.backward, ""),
            SearchLook.frontier(.forward, ""), SearchLook.frontier(.backward, ""), SearchLook.present(""),
        ]
        #expect(Set(styles.map(\.shape)).count == styles.count)
        #expect(Set(styles.map(\.symbol)).count == styles.count)
    }

    @Test func aTurnIsDrawnAtItsJunction() async throws {
        let session = try await session()
        await session.run("let r = route plan $p.A $p.G; step $r | route turns; step to kind == junction")
        let map = await session.run("step picture | map")
        for words in ["direction before", "direction after", "way not taken"] { #expect(map.contains(words)) }
    }

    @Test func aLineWithoutJunctionsHasStepsToo() async throws {
        let session = try await session()
        await session.run("let r = route plan $p.A $p.G; $r | save r.gpx")
        await session.run("let q = import r.gpx --as routes | first | get routes")
        await session.run("let t = trace ($q | route turns)")
        #expect(await session.run("$t | first | get kind") == "start")
        #expect(await session.run("$t | last 2 | get kind") == "arrive\nend")
    }
}
