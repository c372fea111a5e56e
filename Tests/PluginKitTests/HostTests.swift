import CivilTime
import Geodesy
import PluginKit
import Synchronization
import Testing

@Suite struct HostTests {
    @Test("the clock is stopped, can be set, and advances")
    func clock() {
        let clock = SessionClock(standingAt: Timestamp(milliseconds: 1000))
        clock.advance(bySeconds: 0.5)
        #expect(clock.now.milliseconds == 1500 && !clock.isFollowing)
        let following = SessionClock(following: { Timestamp(milliseconds: 7) })
        following.advance(bySeconds: 5)
        #expect(following.now.milliseconds == 7 && following.isFollowing)
        following.set(Timestamp(milliseconds: 9))
        #expect(following.now.milliseconds == 9 && !following.isFollowing)
    }

    @Test("a capability of places is found without its type")
    func capabilitiesOfPlaces() {
        let offered: [any Capability] = [Names(), Places(), Neither()]
        #expect(offered.map { $0.placeNaming != nil } == offered.map { $0 is any PlaceNaming })
        #expect(offered.map { $0.namedPlaces != nil } == offered.map { $0 is any NamedPlaces })
        #expect(offered.compactMap(\.placeNaming).count == 1 && offered.compactMap(\.namedPlaces).count == 1)
    }

    @Test("the journal reverts the newest change first, and one that fails stays")
    func journal() async throws {
        struct Changed: Error {}
        let journal = Journal()
        let isFailing = Mutex(true)
        let done = Mutex<[String]>([])
        journal.record("one") { done.withLock { $0.append("one") } }
        journal.record("two") { done.withLock { $0.append("two") } }
        journal.alsoRevert { if isFailing.withLock({ $0 }) { throw Changed() } }
        journal.alsoRevert { done.withLock { $0.append("besides") } }
        #expect(journal.summaries == ["one", "two"])
        await #expect(throws: Changed.self) { try await journal.revertLast() }
        #expect(journal.summaries == ["one", "two"])
        isFailing.withLock { $0 = false }
        // What was reverted before the failure is not reverted again.
        #expect(try await journal.revertLast() == "two")
        #expect(try await journal.revertLast() == "one")
        #expect(try await journal.revertLast() == nil && journal.summaries.isEmpty)
        #expect(done.withLock { $0 } == ["two", "besides", "one"])
    }

    @Test("a trace keeps steps up to its limit and counts the rest, also those its parts have dropped")
    func trace() {
        var part = TraceLog(limit: 2)
        for _ in 0..<5 { part.record(TraceStep("step", [], why: "")) }
        #expect(part.steps.count == 2 && part.dropped == 3)
        let collector = TraceCollector(limit: 3)
        collector.keep(part)
        collector.keep(part)
        #expect(collector.collected.steps.count == 3)
        #expect(collector.collected.dropped == 3 + 3 + 1)
    }

    @Test("a record keeps order, replaces, appends and removes")
    func record() {
        var record = Record([("a", .integer(1)), ("b", .integer(2)), ("a", .integer(3))])
        #expect(record.keys == ["a", "b"])
        record["c"] = .nothing
        record["a"] = Value?.none
        #expect(record.keys == ["b", "c"] && record.values.count == 2)
        #expect(Record(keys: ["x", "y"], values: [.integer(1)]).values.count == 2)
    }
}

private struct Names: PlaceNaming {
    func name(of coordinate: Coordinate, context: Context) async throws -> String? { nil }
}

private struct Places: NamedPlaces {
    let source = "places"
    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] { [] }
}

private struct Neither: Capability {}
