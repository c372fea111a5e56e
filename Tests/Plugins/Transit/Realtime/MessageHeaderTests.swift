import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// What messages say of themselves that this version, or this timetable, does not know.
@Suite struct MessageHeaderTests {
    private func session(
        _ header: Proto, _ parts: [(field: Int, message: Proto)],
        tables: [String: String] = StreetFeed.tables()
    ) async throws -> TestSession {
        let session = try await StreetFeed.session(tables)
        var feed = Proto().message(1, header.number(3, StreetFeed.now))
        for (index, part) in parts.enumerated() {
            feed = feed.message(2, Proto().text(1, "e\(index)").message(part.field, part.message))
        }
        try Data(feed.bytes).write(to: session.folder.url.appendingPathComponent("m.pb"))
        _ = await session.run("feed realtime m.pb")
        return session
    }

    private var update: (field: Int, message: Proto) {
        (
            3,
            Proto().message(1, Proto.trip("t1", day: StreetFeed.day)).message(
                2, Proto.call(1, departure: 240))
        )
    }

    @Test(arguments: [
        (Proto().text(1, "3.0"), "its version 3.0 of GTFS-realtime is unknown"),
        (Proto().text(1, "2.0").number(2, 9), "its incrementality 9 is unknown"),
    ])
    func unknownHeaders(header: Proto, words: String) async throws {
        let session = try await session(header, [update])
        #expect(await session.run("departures @A").contains(words))
        #expect(await StreetFeed.board(session, "A", 1) == ["08:00 08:04 t1 4min late"])
    }

    /// The message names the version of the timetable that it is about.
    @Test(arguments: [("2026-02", true), ("2026-03", false), ("", false)])
    func anotherVersionOfTheTimetable(version: String, isOther: Bool) async throws {
        let tables = StreetFeed.tables(
            StreetFeed.trips,
            [
                "feed_info.txt":
                    "feed_publisher_name,feed_publisher_url,feed_lang,feed_version\nP,http://p.example,en,2026-03\n"
            ])
        let session = try await session(
            Proto().text(1, "2.0").text(4, version), [update], tables: tables)
        let board = await session.run("departures @A")
        #expect(
            board.contains("it is about version 2026-02 of the timetable, not 2026-03") == isOther, "\(board)"
        )
    }

    @Test func specialEvents() async throws {
        let text = Proto().message(1, Proto().text(1, "Fair").text(2, "en"))
        let alert = Proto().message(5, Proto().text(2, "r1")).number(6, 13).message(10, text)
        let session = try await session(Proto().text(1, "2.0"), [(5, alert)])
        #expect(await session.run("feed alerts | first | get cause") == "special event")
    }

    /// The text in the language chosen, else in English, else in the one that the producer does not name, else the first.
    @Test(arguments: [
        ([("Umleitung", "de-AT"), ("Detour", "en-AU")], "Detour", "Umleitung"),
        ([("Umleitung", "DE_de"), ("Deviation", "")], "Deviation", "Umleitung"),
        ([("Deviation", "fr"), ("Deviazione", "it")], "Deviation", "Deviation"),
    ])
    func languagesOfAlerts(texts: [(String, String)], usual: String, german: String) async throws {
        let header = texts.reduce(Proto()) { $0.message(1, Proto().text(1, $1.0).text(2, $1.1)) }
        let tables = StreetFeed.tables(
            StreetFeed.trips,
            [
                "translations.txt":
                    "table_name,field_name,language,translation,record_id\nstops,stop_name,de,Altona,A\n"
            ])
        let session = try await session(
            Proto().text(1, "2.0"), [(5, Proto().message(5, Proto().text(2, "r1")).message(10, header))],
            tables: tables)
        #expect(await session.run("feed alerts | first | get header") == usual)
        _ = await session.run("feed language de")
        #expect(await session.run("feed alerts | first | get header") == german)
        #expect(await session.run("departures @A").contains(german))
    }

    /// The position of a vehicle from the future has no age, which is said.
    @Test func vehiclesOfALaterTime() async throws {
        let vehicle = Proto().message(1, Proto.trip("t1", day: StreetFeed.day))
            .number(5, StreetFeed.now + 7200)
        let session = try await session(Proto().text(1, "2.0"), [(4, vehicle)])
        #expect(await session.run("feed vehicles | first | get note") == "its time is later than now")
    }

    /// What a vehicle says of its trip, and the timetable does not have.
    @Test(arguments: [
        (Proto.trip("t1", day: StreetFeed.day), Proto().number(3, 99), "its trip has no call 99"),
        (Proto.trip("t1", day: StreetFeed.day), Proto().text(7, "ZZ"), "its stop is not in the timetable"),
        (Proto.trip("x", day: StreetFeed.day), Proto().number(3, 1), "its trip is not in the timetable"),
        (
            Proto.trip("t1", day: StreetFeed.day), Proto().number(3, 1).text(7, "D"),
            "call 1 of its trip is at Alpha, not there"
        ),
        (Proto.trip("t1", day: StreetFeed.day), Proto().number(3, 1).text(7, "A"), ""),
    ])
    func vehiclesThatContradictTheTimetable(trip: Proto, facts: Proto, words: String) async throws {
        let vehicle = Proto(bytes: Proto().message(1, trip).number(5, StreetFeed.now).bytes + facts.bytes)
        let session = try await session(Proto().text(1, "2.0"), [(4, vehicle)])
        #expect(await session.run("feed vehicles | first | get note") == words)
    }

    /// A new trip with times and delays was planned earlier; the planned time and the delay are a time.
    @Test func delaysOfNewTrips() async throws {
        func call(_ number: Int, _ stop: String, _ event: Proto) -> Proto {
            Proto().number(1, number).message(2, event).message(3, event).text(4, stop)
        }
        let trip = Proto().text(1, "n1").number(4, 8).text(5, "r1")
        let timed = Proto.update(
            trip,
            [
                call(1, "A", Proto().number(1, 240).number(2, StreetFeed.moment("08:29"))),
                call(2, "C", Proto().number(1, 240).number(2, StreetFeed.moment("08:44"))),
            ])
        let planned = Proto.update(
            Proto().text(1, "n2").number(4, 8).text(5, "r1"),
            [
                call(1, "A", Proto().number(1, 120).number(4, StreetFeed.moment("08:40"))),
                call(2, "C", Proto().number(1, 120).number(4, StreetFeed.moment("08:50"))),
            ])
        let session = try await StreetFeed.session(with: [timed, planned])
        let board = await StreetFeed.board(session, "A", 4)
        #expect(board.contains("08:25 08:29 n1 \"Added  4min late\""), "\(board)")
        #expect(board.contains("08:40 08:42 n2 \"Added  2min late\""), "\(board)")
    }

    /// The identifier is the beginning of one of the timetable, as where feeds were merged.
    @Test func identifiersOfAMergedFeed() async throws {
        let calls = "A 08:00;B 08:10;D 08:30"
        let tables = StreetFeed.tables(
            [
                ("1120020_merged_1797627", "r1", "s", "0", "", calls),
                ("1120020_merged_1798242", "r1", "x", "0", "", calls),
            ], ["calendar_dates.txt": "service_id,date,exception_type\nx,20260207,1\n"])
        let trip = Proto.trip("1120020", day: StreetFeed.day).text(5, "r1")
        let session = try await StreetFeed.session(
            tables, with: [Proto.update(trip, [Proto.call(1, departure: 240)])])
        #expect(
            await session.run("feed updates | first | get run")
                == "1120020_merged_1797627 of 2026-02-06 08:00:00")
    }
}
