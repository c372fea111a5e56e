import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Detours that agencies send beside what the reference allows; times by hand.
@Suite struct DetourTests {
    /// A change from a call to another: `from` and `to` are numbers of calls.
    private func change(_ from: Int, to last: Int? = nil, delay: Int = 0, _ stops: [(Int?, String)] = [])
        -> Proto
    {
        var made = Proto().message(1, Proto().number(1, from))
        if let last { made = made.message(2, Proto().number(1, last)) }
        made = made.number(3, delay)
        for (seconds, stop) in stops {
            let time = seconds.map { Proto().number(1, $0) } ?? Proto()
            made = made.message(4, time.text(2, stop))
        }
        return made
    }

    private func detour(_ trips: [String] = ["t1"], _ days: [String] = [StreetFeed.day], _ changes: [Proto])
        -> (field: Int, message: Proto)
    {
        var made = Proto().message(1, trips.reduce(Proto()) { $0.text(1, $1) })
        for day in days { made = made.text(3, day) }
        return (8, changes.reduce(made) { $0.message(4, $1) })
    }

    private func why(_ session: TestSession) async -> String {
        await session.run("feed updates | select outcome why | to csv")
    }

    @Test func twoDetoursOfARunAreCombined() async throws {
        let session = try await StreetFeed.session(with: [
            detour([change(2, to: 2, delay: 60, [(300, "E")])]), detour([change(4, to: 4, [(720, "E")])]),
        ])
        #expect(await StreetFeed.board(session, "E", 2) == ["08:05 08:05 t1 Changed"])
        #expect(await StreetFeed.board(session, "B", 1) == ["09:10  t2 Scheduled"])
        #expect(await StreetFeed.board(session, "C", 1) == ["08:21 08:21 t1 Changed"])
        #expect(await why(session).contains("several that are combined"))
    }

    /// An update that is refused does not open the closed stops again.
    @Test func staysWhereAnUpdateIsRefused() async throws {
        let wrong = Proto.update(Proto.trip("t1", day: StreetFeed.day), [Proto.call(99, departure: 60)])
        let session = try await StreetFeed.session(with: [wrong, detour([change(3, to: 3)])])
        #expect(await StreetFeed.board(session, "C", 1) == ["09:20  t2 Scheduled"])
        #expect(await why(session).contains("refused"))
    }

    @Test func callsWithoutATravelTimeAreEstimated() async throws {
        let session = try await StreetFeed.session(with: [detour([change(3, to: 3, [(nil, "E")])])])
        #expect(await StreetFeed.board(session, "E", 1) == ["08:20 08:20 t1 Changed"])
        #expect(await why(session).contains("estimated times"))
    }

    /// Travel times longer than the schedule, without a delay afterwards.
    @Test func timesThatRunBackwardsAreMovedAndSaid() async throws {
        let session = try await StreetFeed.session(with: [detour([change(3, to: 3, [(1800, "E")])])])
        #expect(await StreetFeed.board(session, "E", 1) == ["08:40 08:40 t1 Changed"])
        #expect(await session.run("trip show t1").contains("08:40         Delta"))
        #expect(await why(session).contains("run backwards by 10min"))
    }

    @Test func aDetourThatLeavesNothingCancels() async throws {
        let session = try await StreetFeed.session(with: [detour([change(1, to: 4, [(0, "nowhere")])])])
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00  t1 Cancelled"])
        #expect(await why(session).contains("fewer than two of its calls are left"))
    }

    /// A change about another pattern's call does not take the others with it.
    @Test func changesThatFitAreUsed() async throws {
        let session = try await StreetFeed.session(with: [detour([change(9, to: 9), change(3, to: 3)])])
        #expect(await StreetFeed.board(session, "C", 1) == ["09:20  t2 Scheduled"])
        #expect(await why(session).contains("no call at which its change begins"))
    }

    @Test func whatIsIncompleteIsListed() async throws {
        let session = try await StreetFeed.session(with: [
            detour([], [StreetFeed.day], [change(3)]), detour(["t1"], [], [change(3)]),
        ])
        let found = await why(session)
        #expect(found.contains("names no trip"))
        #expect(found.contains("names no service date"))
    }

    private func detour(_ changes: [Proto]) -> (field: Int, message: Proto) {
        detour(["t1"], [StreetFeed.day], changes)
    }

    /// A run after midnight named by the calendar and the clock, without its identifier.
    @Test func nightRunsAreNamedByTheClock() async throws {
        let night: StreetFeed.Trip = ("n1", "r1", "s", "0", "", "A 24:10;B 24:20")
        let update = Proto.update(
            Proto().text(2, "00:10:00").text(3, "20260207").text(5, "r1"), [Proto.call(2, departure: 300)])
        let session = try await StreetFeed.session(
            StreetFeed.tables(StreetFeed.trips + [night]), at: "23:55", with: [update])
        #expect(
            await session.run("feed updates | first | get why").contains("its start is that of the calendar"))
        #expect(await session.run("feed updates | first | get run").contains("n1 of 2026-02-06"))
    }

    /// Calls of its own that are at no stop of the trip: the times tell the day, not the time of the message.
    @Test func aReplacementKeepsItsDay() async throws {
        let night: StreetFeed.Trip = ("n1", "r1", "s", "0", "", "A 24:10;B 24:20")
        var own = Proto.trip("n1", day: StreetFeed.day, relationship: 5)
        own = Proto().message(1, own)
        for (stop, clock) in [("D", "23:30"), ("E", "23:45")] {
            own = own.message(2, Proto.call(stop: stop, at: StreetFeed.moment(clock)))
        }
        let session = try await StreetFeed.session(
            StreetFeed.tables(StreetFeed.trips + [night]), at: "09:00", with: [(3, own)])
        #expect(await session.run("feed updates | first | get run").contains("n1 of 2026-02-06"))
    }
}
