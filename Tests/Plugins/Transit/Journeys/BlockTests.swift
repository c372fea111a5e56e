import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Vehicles whose trips are of several services: who stays seated depends on the day.
@Suite struct BlockTests {
    /// 2026-02-06 is a Friday.
    @Test func servicesOfOneBlock() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables([
                ("v1", "r1", "s", "0", "v", "A 22:00;B 22:55"),
                ("v2", "r1", "s", "0", "v", "B 23:00;C 23:55"),
                ("v3", "r1", "f", "0", "v", "C 23:55;D 24:55"),
            ]))
        let friday = await session.run("journey plan @A @D --at 21:55 | first")
        #expect(friday.contains("stay seated"))
        #expect(friday.contains("00:55"))
        #expect(await session.run("journey plan @A @D --at 2026-02-05T21:55 | count") == "0")
    }

    /// On Fridays another trip of the vehicle is in between: riders cannot stay seated past it.
    @Test func tripsInBetween() async throws {
        let session = try await StreetFeed.session(
            StreetFeed.tables([
                ("v1", "r1", "s", "0", "v", "A 08:00;B 08:10"),
                ("v2", "r1", "f", "0", "v", "B 08:10;C 08:20"),
                ("v3", "r2", "s", "0", "v", "B 08:10;D 08:40"),
            ]))
        #expect(
            await session.run("journey plan @A @D --at 2026-02-06T07:55 --until 2026-02-06T09:00 | count")
                == "0")
        #expect(
            await session.run("journey plan @A @D --at 2026-02-05T07:55 --until 2026-02-05T09:00 | count")
                == "1")
    }

    /// A vehicle is ten minutes late. Riders stay seated if its next trip is as late, and not if the message has that trip leave before:
    /// journeys have the times of boards.
    @Test func aMessageThatContradictsAVehicle() async throws {
        func plan(_ next: Int?) async throws -> (text: String, count: String, note: String) {
            let late = Proto.update(Proto.trip("v1"), [Proto.call(1, departure: 600)])
            let other = next.map { Proto.update(Proto.trip("v2"), [Proto.call(1, departure: $0)]) }
            let session = try await StreetFeed.session(
                StreetFeed.tables([
                    ("v1", "r1", "s", "0", "v", "A 08:00;B 08:10"),
                    ("v2", "r2", "s", "0", "v", "B 08:10;D 08:40"),
                ]), with: [late, other].compactMap { $0 })
            let plan = "journey plan @A @D --at 2026-02-06T07:55 --until 2026-02-06T09:00"
            return (
                await session.run("\(plan) | first"), await session.run("\(plan) | count"),
                await session.run(plan)
            )
        }
        let gone = try await plan(120)
        #expect(gone.count == "0")
        #expect(
            gone.note.replacing("\n", with: " ").contains(
                "staying seated from trip v1 to v2 is not offered: by the messages the one arrives at 08:20, and the other "
                    + "leaves at 08:12"), "\(gone.note)")
        for (next, arrives) in [(nil, "08:50"), (1140, "08:59"), (540, "08:49")] {
            let found = try await plan(next)
            #expect(found.count == "1")
            #expect(found.text.contains("stay seated"))
            #expect(found.text.contains(arrives), "\(found.text)")
        }
    }
}
