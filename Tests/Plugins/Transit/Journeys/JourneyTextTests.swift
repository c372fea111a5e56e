import PluginTestKit
import Testing

@testable import TransitPlugin

/// What the results of `journey plan` state about days, zones and the timetable; expected values are by hand.
@Suite struct JourneyTextTests {
    private static let question = "journey plan 47.0,8.0 47.04,8.0"
    private static let times = "| select departs arrives | to csv"

    /// The only run of the day leaves at 12:00.
    @Test func anotherDayIsWritten() async throws {
        let session = try await ValleyFeed.session()
        func times(_ options: String) async -> String {
            await session.run("\(Self.question) \(options) \(Self.times)")
        }
        #expect(await times("--at 2026-02-06T11:00") == "departs,arrives\n12:00,12:40")
        #expect(
            await times("--at 2026-02-06T15:00")
                == "departs,arrives\n\"2026-02-07 12:00\",\"2026-02-07 12:40\"")
        // At 11:00 nobody can still take yesterday's run; the day after, it is what one could have taken.
        #expect(!(await times("--arrive-by 2026-02-06T11:00")).contains("2026-02-05 12:00"))
        #expect(
            await session.run(
                "\(Self.question) --at 2026-02-06T15:00 | first | get legs | first | get departs")
                == "2026-02-07 12:00")
        // The first line has the day.
        let text = await session.run("\(Self.question) --at 2026-02-06T15:00 | first")
        #expect(text.hasPrefix("Saturday 2026-02-07, 40min, no change\n12:00  3 to "))
    }

    /// Two of the three rules are for a route and a trip that the feed does not have; the third is for two stops.
    @Test func rulesThatAreNotUsed() async throws {
        let session = try await ValleyFeed.session([
            "transfers.txt":
                "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\n"
                + "B,B,R1,R9,,,2,1200\nB,B,,,z,,3,\nA,A,,,,,2,120\n"
        ])
        #expect(await session.run("feed show | get skippedTransferRules") == "2")
        #expect(await session.run("feed import valley --force | get skippedTransferRules") == "2")
        let entry = "\(Self.question) --at 2026-02-06T11:00"
        #expect(
            await session.run(entry).contains(
                "2 rules of transfers.txt for unknown routes or trips are not used"))
        let other = try await ValleyFeed.session()
        #expect(try await other.output(entry).contains("transfers.txt") == false)
    }

    /// That a range of departures has no journey says nothing of the time after it: t1 leaves at 08:00.
    @Test func rangesWithoutJourneys() async throws {
        let session = try await StreetFeed.session()
        let found = await session.run("journey plan @A @D --at 06:00 --until 06:30")
        #expect(found.contains("no journey with 4 changes or fewer that departs until 06:30"), "\(found)")
    }

    /// The calendar continues until September, the feed is declared valid until January.
    @Test func theValidityOfTheFeed() async throws {
        let session = try await ValleyFeed.session([
            "feed_info.txt":
                "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date\n"
                + "A,http://a.example,de,20260101,20260131\n"
        ])
        #expect(await session.run("feed show | get validFrom") == "2026-01-01")
        #expect(await session.run("feed show | get validUntil") == "2026-01-31")
        let note = "by feed_info.txt the feed is valid from 2026-01-01 until 2026-01-31"
        for (day, isOutside) in [("2026-02-06", true), ("2026-01-30", false)] {
            for entry in [
                "departures Alpha --at \(day)T07:00 --within 6h", "\(Self.question) --at \(day)T11:00",
                "trip show d --at \(day)", "line timetable 1 --at \(day)",
                "feed service --at \(day) --days 1",
            ] { #expect(await session.run(entry).contains(note) == isOutside, "\(entry)") }
        }
        #expect(await session.run("stop drawer Alpha; stop drawer --state half").contains("feed_info.txt"))
    }

    /// Runs by headway alone are no exact times; those with `exact_times` are.
    @Test func runsByHeadway() async throws {
        let board =
            "departures Alpha --at 2026-02-06T19:30 --limit 2 | select time status exactTimes | to csv"
        let plan = "journey plan 47.0,8.0 47.03,8.0 --at 2026-02-06T19:30 | first"
        let session = try await ValleyFeed.session()
        #expect(
            await session.run(board)
                == "time,status,exactTimes\n20:00,every 20min,false\n20:20,every 20min,false")
        #expect(await session.run("\(plan) | get legs | first | get status") == "every 20min")
        #expect(await session.run(plan).contains("20:05, 1 stop, every 20min\n"))
        #expect(
            await session.run("departures Alpha --at 2026-02-06T07:30 --limit 1 | get status") == "Scheduled")
        let exact = try await ValleyFeed.session([
            "frequencies.txt":
                "trip_id,start_time,end_time,headway_secs,exact_times\nf,20:00:00,21:00:00,1200,1\n"
        ])
        #expect(
            await exact.run(board)
                == "time,status,exactTimes\n20:00,Scheduled,true\n20:20,Scheduled,true")
        #expect(await exact.run("\(plan) | get legs | first | get status") == "Scheduled")
    }

    @Test func theZoneOfTimes() async throws {
        let session = try await ValleyFeed.session(timezone: "America/New_York")
        let note = "times are local to the stop, in Europe/Zurich; the session is in America/New_York"
        for entry in [
            "\(Self.question) --at 2026-02-06T11:00", "trip show d", "line timetable 1 --at 2026-02-06",
        ] { #expect(await session.run(entry).contains(note), "\(entry)") }
        let same = try await ValleyFeed.session()
        for entry in [
            "\(Self.question) --at 2026-02-06T11:00", "trip show d", "line timetable 1 --at 2026-02-06",
        ] { #expect(try await same.output(entry).contains("times are local") == false, "\(entry)") }
    }
}
