import Foundation
import Pictures
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// The traces of map matching and of alternatives have a start and an end, and their numbers match a
/// calculation by hand.
@Suite struct DecisionTraceTests {
    private func session(_ region: String) async throws -> TestSession {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        await session.run(region)
        return session
    }

    /// Two streets 20 m apart, connected at both ends only. The track goes along the upper one, 6 m beside it; its third
    /// position is nearer to the lower one.
    private func matching() async throws -> TestSession {
        let session = try await session(
            """
            let p = region sketch streets '
            A-------------------B
            D-------------------E
            ' --column 10m --way AB --way DE --way AD --way BE
            """)
        let places = [(20, 6), (50, 6), (80, 12), (110, 6)].map { east, south in
            "destination(destination($p.A, 90deg, \(east)m), 180deg, \(south)m)"
        }
        await session.run("[\(places.joined(separator: " "))] | save walk.gpx")
        await session.run("let t = trace route match walk.gpx")
        return session
    }

    private func number(_ session: TestSession, _ entry: String) async throws -> Double {
        switch try await session.value(entry) {
        case .number(let number): number
        case .integer(let number): Double(number)
        case .quantity(let quantity): quantity.value
        default: .nan
        }
    }

    @Test func matchingBeginsAndEnds() async throws {
        let session = try await matching()
        #expect(await session.run("$t | first | get kind") == "start")
        #expect(await session.run("$t | last | get kind") == "end")
        #expect(await session.run("$t | last | get pieces") == "1")
        // At 80 m along, the upper street is the second nearest, and the way stays on it: to change streets it would go by an end.
        #expect(await session.run("$t | where kind == back | first | get way") == "1a\n2a\n3b\n4a")
        #expect(await session.run("$t | where kind == 'position' | count") == "4")
    }

    @Test func scoresAreThoseOfTheModel() async throws {
        let session = try await matching()
        // −½ (6/10)²: six metres off, with a sigma of 10 m.
        #expect(
            abs(try await number(session, "$t | where candidate == '1a' | first | get score") + 0.18) < 0.01)
        // The lower street is 14 m away: −½ (14/10)².
        #expect(
            abs(try await number(session, "$t | where candidate == '1b' | first | get score") + 0.98) < 0.01)
        // 30 m of way for 30 m of line cost nothing: the sum of both distances' scores.
        #expect(
            abs(try await number(session, "$t | where candidate == '2a' | first | get score") + 0.36) < 0.01)
        // 12 m off costs 0.72, and 30 m of way for √(30² + 6²) m of line cost 0.594 / 15.
        #expect(
            abs(try await number(session, "$t | where candidate == '3b' | first | get score") + 1.1196) < 0.01
        )
    }

    @Test func theLatticeIsDrawn() async throws {
        let session = try await matching()
        await session.run("step route match walk.gpx")
        await session.run("step to kind == back")
        guard case .object(let object) = try await session.value("step picture"),
            let picture = object as? any SteppedPicture
        else {
            Issue.record("no picture")
            return
        }
        var labels: Set<String> = []
        var chain = 0
        for feature in try picture.mapFeatures {
            if case .line(_, let style) = feature {
                labels.insert(style.label)
                if style.label.hasPrefix("likeliest") { chain += 1 }
            }
        }
        #expect(labels.isSuperset(of: ["track", "best predecessor"]))
        // Four positions of one way have three arcs.
        #expect(chain == 3)
    }

    @Test func whatNoWayIsNearIsLeftOut() async throws {
        let session = try await matching()
        await session.run("[destination($p.A, 0deg, 1km) destination($p.A, 0deg, 2km)] | save far.gpx")
        #expect(await session.run("route match far.gpx").contains("E-ROUTE-MATCH"))
    }

    /// One way straight and one around a block, which is too long.
    @Test func alternativesAreKeptOrNotForAReason() async throws {
        let session = try await session(
            """
            let p = region sketch blocks '
            C---D

            A---B
            ' --way 'AB surface=asphalt' --way 'ACDB surface=asphalt'
            """)
        await session.run("let t = trace route plan $p.A $p.B --alternatives 2")
        #expect(await session.run("$t | first | get kind") == "start")
        #expect(await session.run("$t | last | get kind") == "end")
        // By hand: 200 m straight, and 200 + 200 + 200 m around: three times the best, more than 1.4 times.
        #expect(abs(try await number(session, "$t | where kind == best | first | get cost") - 200) < 1)
        #expect(await session.run("$t | where outcome == kept | count") == "0")
        let dear = "$t | where outcome == tooDear | first"
        #expect(abs(try await number(session, dear + " | get cost") - 600) < 1)
        #expect(abs(try await number(session, dear + " | get stretch") - 3) < 0.01)
        #expect(await session.run("$t | last | get found") == "0")
    }

    @Test func alternativesThatAreKeptAreDrawn() async throws {
        let session = try await session(
            """
            let p = region sketch blocks '
            C-------D
            A-------B
            ' --column 10m --way 'AB surface=asphalt' --way 'ACDB surface=asphalt'
            """)
        await session.run("let t = trace route plan $p.A $p.B --alternatives 1")
        // 80 m straight, 120 m around: 1.5 times.
        #expect(await session.run("$t | where outcome == 'tooDear' | count") != "0")
        #expect(await session.run("$t | where outcome == 'kept' | count") == "0")
        let wide = try await self.session(
            """
            let p = region sketch blocks '
            C--------------D
            A--------------B
            ' --column 10m --way 'AB surface=asphalt' --way 'ACDB surface=asphalt'
            """)
        // 150 m straight, 190 m around: 1.267 times, and nothing shared.
        await wide.run("step route plan $p.A $p.B --alternatives 1")
        await wide.run("step to kind == 'attempt' and outcome == kept")
        #expect(abs(try await number(wide, "step show | get stretch") - 1.267) < 0.01)
        #expect(await wide.run("step show | get shared") == "0")
        #expect(await wide.run("step picture | get kept") == "1")
        #expect(await wide.run("route plan $p.A $p.B --alternatives 1 | count") == "2")
    }
}
