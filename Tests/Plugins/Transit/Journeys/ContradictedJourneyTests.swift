import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Journeys on vehicles of which a message says what cannot be, or leaves open what happens.
@Suite struct ContradictedJourneyTests {
    /// A vehicle makes v1 from A to B, and v2 from there to D.
    private static let vehicle = StreetFeed.tables([
        ("v1", "r1", "s", "0", "v", "A 08:00;B 08:10"), ("v2", "r2", "s", "0", "v", "B 08:10;D 08:40"),
    ])

    private func legs(_ session: TestSession, _ plan: String) async -> String {
        await session.run("\(plan) | first | get legs | select departs arrives | to csv")
    }

    /// v1 arrives at 08:20, and v2 leaves at 08:19: a rider who stays seated leaves when the vehicle is there, not before.
    @Test func aVehicleThatLeavesAMinuteBeforeItArrives() async throws {
        let session = try await StreetFeed.session(
            Self.vehicle,
            with: [
                Proto.update(Proto.trip("v1"), [Proto.call(1, departure: 600)]),
                Proto.update(Proto.trip("v2"), [Proto.call(1, departure: 540)]),
            ])
        let plans = ["journey plan @A @D --at 07:55", "journey plan @A @D --arrive-by 08:55"]
        for plan in plans {
            #expect(await legs(session, plan) == "departs,arrives\n08:10,08:20\n08:20,08:49")
            let text = await session.run("\(plan) | first").split(whereSeparator: \.isWhitespace)
            #expect(
                text.joined(separator: " ").contains(
                    "doubtful: due to leave at 08:19, before the vehicle arrives"), "\(text)")
        }
        #expect(await StreetFeed.board(session, "B") == ["08:10 08:19 v2 9min late"])
        // Who boards there has the times of the board, without a doubt.
        let boarded = "journey plan @B @D --at 08:00"
        #expect(await legs(session, boarded) == "departs,arrives\n08:19,08:49")
        #expect(!(await session.run("\(boarded) | first").contains("doubtful")))
    }

    /// A skipped call is no stop at which a rider can count on staying seated: the one trip ends, or the other begins, elsewhere.
    @Test(arguments: [["v1 3"], ["v2 1"], ["v1 3", "v2 1"]])
    func aSkippedStopWhereTwoTripsMeet(skipped: [String]) async throws {
        let tables = StreetFeed.tables([
            ("v1", "r1", "s", "0", "v", "A 08:00;B 08:10;C 08:20"),
            ("v2", "r2", "s", "0", "v", "C 08:20;E 08:30;D 08:40"),
        ])
        let plan = "journey plan @A @D --at 07:55 --until 09:00"
        let plain = try await StreetFeed.session(tables)
        #expect(await plain.run("\(plan) | count") == "1")
        let session = try await StreetFeed.session(
            tables,
            with: skipped.map { call in
                let words = call.split(separator: " ").map(String.init)
                return Proto.update(Proto.trip(words[0]), [Proto.call(Int(words[1]), relationship: 1)])
            })
        #expect(await session.run("\(plan) | count") == "0")
        let note = await session.run(plan).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            note.contains(
                "staying seated from trip v1 to v2 is not offered: by the messages the one does not end, or the "
                    + "other does not begin, at the stop where they meet"), "\(note)")
    }

    /// The message has C left on time, and says nothing of the arrival, planned five minutes before: B keeps its delay of 12 minutes, which
    /// only the departure from C bounds.
    @Test func aDepartureAloneSaysNothingOfTheArrival() async throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,A,1\n"
            + "t,08:10:00,08:10:00,B,2\nt,08:20:00,08:25:00,C,3\nt,08:35:00,08:35:00,D,4\n"
        let session = try await StreetFeed.session(
            StreetFeed.tables([("t", "r1", "s", "0", "", "A 08:00;D 08:35")], ["stop_times.txt": times]),
            with: [
                Proto.update(
                    Proto.trip("t"), [Proto.call(1, departure: 720), Proto.call(3, departure: 0)])
            ])
        #expect(await StreetFeed.board(session, "B") == ["08:10 08:22 t 12min late"])
        #expect(await legs(session, "journey plan @B @C --at 08:00") == "departs,arrives\n08:22,08:22")
        #expect(await legs(session, "journey plan @B @D --arrive-by 08:40") == "departs,arrives\n08:22,08:35")
    }
}
