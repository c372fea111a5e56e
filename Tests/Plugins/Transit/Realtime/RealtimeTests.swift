import CivilTime
import Fetching
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Boards, the drawer and trips with realtime; the expected times are by hand.
@Suite struct RealtimeTests {
    /// 2026-02-06T09:00 in Berlin, the time of test sessions.
    private static let now = Int(TestSession.Settings.start.seconds)

    private func session(_ files: [String: Proto]) async throws -> TestSession {
        let session = try TestSession(
            plugins: { [TransitPlugin()] }, files: files.mapValues { Data($0.bytes) })
        try await session.value("set timezone Europe/Berlin")
        try await session.value("feed sample")
        try await session.value("feed import harbour")
        return session
    }

    private func expect(
        _ session: TestSession, _ entry: String, _ rows: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let found = await lines(session, entry)
        #expect(found == rows, sourceLocation: sourceLocation)
    }

    private func lines(_ session: TestSession, _ entry: String) async -> [String] {
        await session.run(entry + " | to csv").split(separator: "\n").dropFirst().map(String.init)
    }

    /// Grey for the timetable, green and orange for realtime, as on the app's rows; without the colours it is the same text.
    @Test func theStatusHasAColour() async throws {
        let feed = Proto.feed(
            Self.now - 30,
            [
                Proto.update(Proto.trip("S1-WD-out-550", day: "20260206"), [Proto.call(1, departure: 20)]),
                Proto.update(Proto.trip("S1-WD-out-580", day: "20260206"), [Proto.call(1, departure: 150)]),
            ])
        let session = try await session(["late.pb": feed])
        await session.run("feed realtime late.pb; stop show CEN1")
        let entries = ["departures CEN1 --limit 3", "stop drawer --state half"]
        var plain: [String] = []
        for entry in entries { plain.append(await session.run(entry)) }
        await session.run("set color true")
        for (entry, text) in zip(entries, plain) {
            let colored = await session.run(entry)
            for painted in ["[32mOn time", "[38;5;208m2min late", "[90mScheduled"] {
                #expect(colored.contains("\u{1B}\(painted)\u{1B}[0m"), "\(entry): \(painted)")
            }
            #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == text)
        }
    }

    /// A delay applies to the following calls; a delayed train is still listed, one that left early is not.
    @Test func delays() async throws {
        let feed = Proto.feed(
            Self.now - 30,
            [
                // 08:42 from Central, nineteen minutes late.
                Proto.update(Proto.trip("S1-WD-out-520", day: "20260206"), [Proto.call(1, departure: 1140)]),
                // 09:12 leaves at 08:59:50.
                Proto.update(Proto.trip("S1-WD-out-550", day: "20260206"), [Proto.call(1, departure: -730)]),
                // 09:42 with an absolute time, by the stop instead of the number.
                Proto.update(
                    Proto.trip("S1-WD-out-580", day: "20260206"),
                    [Proto.call(stop: "CEN1", at: Self.now + 44 * 60)]),
                // Yesterday's train of the same trip.
                Proto.update(Proto.trip("S1-WD-out-610", day: "20260205"), [Proto.call(1, departure: 600)]),
                Proto.update(Proto.trip("not-in-the-feed"), [Proto.call(1, departure: 600)]),
            ])
        let session = try await session(["late.pb": feed])
        await expect(
            session, "feed realtime late.pb | select updates unknownTrips cancelled",
            [
                "5,1,0"
            ])
        await expect(
            session, "departures CEN1 --limit 3 | select time expected in status",
            [
                "08:42,09:01,60,19min late", "09:42,09:44,2640,2min late", "10:12,,4320,Scheduled",
            ])
        // After the update, at the next stop of the train.
        await expect(
            session,
            "departures UNI --limit 5 | where trip == 'S1-WD-out-520' | select time expected delay",
            [
                "08:50,09:09,1140"
            ])
        #expect(await session.run("departures CEN1").contains("less than a minute old"))
        #expect(
            await session.run("departures CEN1 --limit 1 | first | trip show").contains("19min late"))
        await session.run("let steps = trace departures CEN1 --limit 1")
        #expect(
            await session.run("$steps | where kind == update | get why")
                == "update e0 at stop_sequence 1 predicts it")
        await session.run("stop show CEN1; stop drawer --state half")
        #expect(await session.run("stop drawer").contains("08:42  1min"))
        #expect(await session.run("stop drawer").contains("19min late"))
    }

    @Test func cancelledSkippedAndMoved() async throws {
        let feed = Proto.feed(
            Self.now,
            [
                Proto.update(Proto.trip("S1-WD-out-550", day: "20260206", relationship: 3), []),
                Proto.update(Proto.trip("S1-WD-out-580", day: "20260206"), [Proto.call(1, relationship: 1)]),
                Proto.update(
                    Proto.trip("S1-WD-out-610", day: "20260206"),
                    [Proto.call(1, departure: 0, platform: "CEN2"), Proto.call(6, relationship: 2)]),
                Proto.update(
                    Proto.trip("extra", day: "20260206", relationship: 1).text(5, "S1"),
                    [
                        Proto.call(stop: "CEN1", at: Self.now + 300),
                        Proto.call(stop: "AIR", at: Self.now + 1500),
                    ]),
            ])
        let session = try await session(["m.pb": feed])
        await session.run("feed realtime m.pb")
        await expect(
            session, "departures CEN1 --limit 4 | select time expected status platform headsign",
            [
                "09:05,09:05,Added,\"1\",Airport", "09:12,,Cancelled,\"1\",Airport",
                "09:42,,Skipped,\"1\",Airport", "10:42,,Scheduled,\"1\",Airport",
            ])
        // It leaves from another platform: on that one's board, and on the station's.
        for stop in ["CEN2", "CEN"] {
            await expect(
                session,
                "departures \(stop) --limit 20 | where trip == 'S1-WD-out-610' | select time platform",
                ["10:12,\"2\""])
        }
        // NO_DATA ends the known data.
        await expect(
            session, "departures UNI --at 10:15 --limit 1 | select time status",
            [
                "10:20,Scheduled"
            ])
        await session.run("feed realtime --off")
        await expect(session, "departures CEN1 --limit 1 | select time status", ["09:12,Scheduled"])
        await session.run("undo")
        await expect(session, "departures CEN1 --limit 1 | select status", ["Added"])
    }

    /// Runs by headway are told apart by their start.
    @Test func frequencies() async throws {
        let feed = Proto.feed(
            Self.now,
            [
                Proto.update(
                    Proto.trip("T4-loop", day: "20260206", start: "09:15:00"), [Proto.call(1, departure: 120)]
                )
            ])
        let session = try await session(["m.pb": feed])
        await session.run("feed realtime m.pb")
        let rows = await lines(
            session, "departures CEN3 --limit 6 | where route == '4' | select time expected")
        #expect(rows.contains("09:15,09:17"))
        #expect(rows.contains("09:30,"))
    }

    /// Outdated information returns to the schedule, later messages wait for their time, a folder replays.
    @Test func ages() async throws {
        func late(_ time: Int, _ delay: Int) -> Proto {
            Proto.feed(
                time,
                [
                    Proto.update(
                        Proto.trip("S1-WD-out-550", day: "20260206"), [Proto.call(1, departure: delay)])
                ])
        }
        let session = try await session([
            "a.pb": late(Self.now, 60), "b.pb": late(Self.now + 120, 180), "z.pb": late(Self.now + 7200, 0),
            "c.pb": late(Self.now + 30, 120),
        ])
        await session.run("feed realtime z.pb")
        #expect(
            await session.run("departures CEN1").contains(
                "the realtime messages are from a later time (2026-02-06 11:00)"))
        let first = "departures CEN1 --limit 1 | select expected"
        // The clock of a producer may be ahead where there is no other message.
        await session.run("feed realtime c.pb")
        await expect(session, first, ["09:14"])
        await session.run("feed realtime b.pb a.pb")
        await expect(session, first, ["09:13"])
        await session.run("clock +2min")
        await expect(session, first, ["09:15"])
        await session.run("clock +10min")
        await expect(session, first, ["09:15"])
        await session.run("clock +1s")
        #expect(await session.shown("departures CEN1 --limit 1 | get time") == "09:42")
        #expect(await session.run("departures CEN1").contains("is 10min old: the schedule is shown"))
    }

    @Test func alertsAndVehicles() async throws {
        let alert = Proto().message(1, Proto().number(1, Self.now - 60).number(2, Self.now + 60))
            .message(5, Proto().text(2, "S1")).message(
                10, Proto().message(1, Proto().text(1, "Works").text(2, "en")))
        let old = Proto().message(1, Proto().number(2, Self.now - 60)).message(
            10, Proto().message(1, Proto().text(1, "Over")))
        var position: [UInt8] = []
        for (field, value) in [(1, Float(0.5)), (2, Float(0.25)), (5, Float(10))] {
            position.append(UInt8(field << 3 | 5))
            withUnsafeBytes(of: value.bitPattern.littleEndian) { position += $0 }
        }
        let vehicle = Proto().message(1, Proto.trip("S1-WD-out-550").text(5, "S1")).message(
            2, Proto(bytes: position)
        )
        .number(5, Self.now - 90)
        let session = try await session(["m.pb": Proto.feed(Self.now, [(5, alert), (5, old), (4, vehicle)])])
        await session.run("feed realtime m.pb")
        await expect(session, "feed alerts | select header lines", ["Works,S1"])
        await expect(session, "feed vehicles | select line at speed age", ["S1,\"0.5,0.25\",10,90"])
    }

    /// Alerts are on the boards of their subjects while they are active, and nowhere else.
    @Test func alertsOnBoards() async throws {
        func alert(_ title: String, _ entities: [Proto], from: Int = -60, until: Int = 3600) -> Proto {
            var alert = Proto().message(1, Proto().number(1, Self.now + from).number(2, Self.now + until))
            for entity in entities { alert = alert.message(5, entity) }
            return alert.message(10, Proto().message(1, Proto().text(1, title).text(2, "en")))
        }
        let line = Proto().text(2, "S1")
        let alerts = [
            alert("Works", [line]), alert("Lift broken", [Proto().text(5, "CEN")]),
            alert("Short train", [Proto().message(4, Proto.trip("S1-WD-out-550"))]),
            alert("Night", [Proto().number(3, 705)]), alert("Tomorrow", [line], from: 7200, until: 9000),
            alert("Yesterday", [line], from: -9000, until: -60),
            alert("Platform 1 at the airport", [line.text(5, "AIR")]),
            alert("Strike", [Proto().text(1, "SR")]),
        ]
        let session = try await session(["m.pb": Proto.feed(Self.now, alerts.map { (5, $0) })])
        await session.run("feed realtime m.pb")
        await session.run("stop show CEN1; stop drawer --state full")
        #expect(
            await session.run("stop drawer | get alerts")
                == "S1: Works\nLift broken\nShort train\nagency SR: Strike")
        #expect(await session.run("stop drawer").contains("⚠ S1: Works"))
        let board = await session.run("departures CEN --limit 8")
        for text in ["S1: Works", "Lift broken", "Short train", "Night", "agency SR: Strike"] {
            #expect(board.contains(text), "\(text)")
        }
        for text in ["Tomorrow", "Yesterday", "at the airport"] { #expect(!board.contains(text), "\(text)") }
        #expect(try await session.output("departures ISL --within 200h").contains("Works") == false)
        #expect(try await session.output("departures BAYD --at 2026-02-07T02:00").contains("Night") == false)
        #expect(
            await session.run("departures CEN1 --limit 2 | first | get alerts")
                == "Works\nLift broken\nShort train\nStrike")
        #expect(await session.run("departures UNI --at 11:10 | first | get alerts").contains("Tomorrow"))
        #expect(await session.run("trip show S1-WD-out-580").contains("S1: Works"))
        #expect(try await session.output("trip show B2-WD-540").contains("Works") == false)
        // Half an hour later the message is old; what it says may still hold.
        await session.run("clock +30min")
        #expect(await session.run("stop drawer").contains("S1: Works (as of 2026-02-06 09:00)"))
    }

    /// An alert longer than the drawer is wrapped, not truncated.
    @Test func longAlerts() async throws {
        let title = (1...30).map { "word\($0)" }.joined(separator: " ")
        let alert = Proto().message(5, Proto().text(2, "S1")).message(
            10, Proto().message(1, Proto().text(1, title).text(2, "en")))
        let session = try await session(["m.pb": Proto.feed(Self.now, [(5, alert)])])
        await session.run("feed realtime m.pb")
        await session.run("stop show CEN1; stop drawer --state half")
        let lines = await session.run("stop drawer").split(separator: "\n")
        #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= 80 })
        let shown = lines.flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("word") }
        #expect(shown.joined(separator: " ") == title)
    }

    /// A message from the network is used like one from a file; other responses are errors that change
    /// nothing.
    @Test(.needs(.http)) func addresses() async throws {
        let feed = Proto.feed(
            Self.now - 30,
            [Proto.update(Proto.trip("S1-WD-out-550", day: "20260206"), [Proto.call(1, departure: 300)])])
        let server = try LocalServer { request, _ in
            switch request.target {
            case "/updates?key=secret": .bytes(Data(feed.bytes))
            case "/half": .bytes(Data(feed.bytes.dropLast(3)))
            case "/page": .json("<html>no message</html>")
            default: .status(404)
            }
        }
        let session = try await session([:])
        let board = "departures CEN1 --limit 1 | select time expected status"
        await session.run("feed realtime '\(server.url)/updates?key=secret'")
        await expect(session, board, ["09:12,09:17,5min late"])
        #expect(await session.shown("feed realtime | get file") == "127.0.0.1")
        #expect(await session.run("feed realtime '\(server.url)/none'").contains("status 404"))
        #expect(await session.run("feed realtime '\(server.url)/half'").contains("E-TRANSIT-REALTIME"))
        #expect(await session.run("feed realtime '\(server.url)/page'").contains("E-TRANSIT-REALTIME"))
        #expect(await session.run("feed realtime http://").contains("E-TRANSIT-NETWORK"))
        #expect(await session.run("feed realtime none.pb").contains("E-FILE-MISSING"))
        await expect(session, board, ["09:12,09:17,5min late"])
        #expect(server.requests.count == 4)
    }

    @Test func badFiles() async throws {
        let good = Proto.feed(
            Self.now, [Proto.update(Proto.trip("S1-WD-out-550"), [Proto.call(1, departure: 60)])])
        var files: [String: Proto] = [
            "empty.pb": Proto(), "zip.pb": Proto(bytes: Array("PK\u{3}\u{4}anything".utf8)),
            "untimed.pb": Proto().message(1, Proto().text(1, "2.0")),
            "good.pb": good,
        ]
        for count in 1..<good.bytes.count {
            files["cut\(count).pb"] = Proto(bytes: Array(good.bytes.prefix(count)))
        }
        let session = try await session(files)
        await session.run("feed realtime good.pb")
        for name in files.keys.sorted() where name != "good.pb" {
            let text = await session.run("feed realtime \(name)")
            // A message may end behind a whole part of it; then it says when it was made.
            #expect(
                text.contains("E-TRANSIT-REALTIME") || name.hasPrefix("cut") && text.contains(name),
                "\(name): \(text)")
        }
        var random = Xoshiro256(seed: 1)
        for _ in 0..<500 {
            var bytes = good.bytes
            for _ in 0..<3 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            _ = try? RealtimeFeed(bytes)
        }
    }

    /// Every stop of the recorded trip updates of Caltrain: the boards show the times found by a plain
    /// reading of the message, and no others have realtime times.
    @Test(.enabled(if: RealData.has("gtfs-rt/caltrain.zip"), "needs the folder of real data"))
    func caltrain() throws {
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(RealData.url("gtfs-rt/caltrain.zip"), to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let bytes = try [UInt8](Data(contentsOf: RealData.url("gtfs-rt/ct-trip-updates.pb")))
        let state = RealtimeState()
        state.use([try RealtimeSnapshot(file: "ct", feed: RealtimeFeed(bytes))])
        let expected = Plain.departures(bytes)
        #expect(expected.time == 1_699_405_534)
        #expect(expected.rows.count > 100)
        let now = Timestamp(milliseconds: Int64(expected.time) * 1000)
        // The last delay of a trip applies to the following calls, by the schedule of the trip.
        let day = try #require(CivilDate(year: 2023, month: 11, day: 7))
        var carried: [(trip: String, stop: String, time: Int)] = []
        for (id, last) in expected.last.sorted(by: { $0.key < $1.key }) {
            guard let trip = try feed.trips.with(id: id) else { continue }
            let calls = try feed.trips.object(trip, on: day, start: trip.start, headway: nil).calls
            guard let at = calls.firstIndex(where: { $0.stop.id == last.stop }) else { continue }
            let delay =
                last.departure.map { $0 - calls[at].departure } ?? (last.arrival ?? 0) - calls[at].arrival
            for call in calls[(last.departure == nil ? at : at + 1)...] where !call.isLast {
                carried.append((id, call.stop.id, call.departure + delay))
            }
        }
        // Where only the arrival is predicted, the departure has its delay.
        for partial in expected.arrivals where expected.last[partial.trip]?.stop != partial.stop {
            guard let trip = try feed.trips.with(id: partial.trip) else { continue }
            let calls = try feed.trips.object(trip, on: day, start: trip.start, headway: nil).calls
            guard let call = calls.first(where: { $0.stop.id == partial.stop }), !call.isLast else {
                continue
            }
            let leaves = max(partial.time, call.departure + partial.time - call.arrival)
            carried.append((partial.trip, partial.stop, leaves))
        }
        var shown = 0
        for stop in try feed.stops.all() {
            let board = try StopBoard(feed, stop).board(
                at: now.seconds, within: 4 * 3600, limit: 500, live: state.view(at: now))
            let own = Set(try feed.stops.rows(feed.stops.parts(of: stop)).map(\.id))
            let live = board.departures.filter { $0.live != nil }.map {
                "\($0.trip) \($0.stop.id) \($0.expected)"
            }
            let wanted = (expected.rows + carried).filter {
                own.contains($0.stop) && $0.time >= expected.time && $0.time < expected.time + 4 * 3600
            }
            #expect(
                live.sorted() == wanted.map { "\($0.trip) \($0.stop) \($0.time)" }.sorted(), "\(stop.id)")
            #expect(
                zip(board.departures, board.departures.dropFirst()).allSatisfy { $0.expected <= $1.expected })
            shown += live.count
        }
        #expect(shown > 100)
    }

    /// A message as nested lists of numbered values, independent of the plugin's reader.
    private enum Plain {
        indirect enum Node {
            case number(Int)
            case bytes([UInt8])
        }

        static func fields(_ bytes: [UInt8]) -> [(Int, Node)] {
            var index = 0
            func varint() -> Int {
                var (value, shift) = (0, 0)
                while true {
                    let byte = bytes[index]
                    index += 1
                    value |= Int(byte & 0x7F) << shift
                    shift += 7
                    if byte < 0x80 { return value }
                }
            }
            var found: [(Int, Node)] = []
            while index < bytes.count {
                let key = varint()
                switch key & 7 {
                case 0: found.append((key >> 3, .number(varint())))
                case 2:
                    let count = varint()
                    found.append((key >> 3, .bytes(Array(bytes[index..<index + count]))))
                    index += count
                default: index += key & 7 == 5 ? 4 : 8
                }
            }
            return found
        }

        static func part(_ fields: [(Int, Node)], _ number: Int) -> [[UInt8]] {
            fields.compactMap { if $0.0 == number, case .bytes(let bytes) = $0.1 { bytes } else { nil } }
        }

        static func value(_ fields: [(Int, Node)], _ number: Int) -> Int? {
            fields.lazy.compactMap {
                if $0.0 == number, case .number(let value) = $0.1 { value } else { nil }
            }.first
        }

        /// The departures of all trips but from their last stops.
        static func departures(_ bytes: [UInt8]) -> (
            time: Int, rows: [(trip: String, stop: String, time: Int)],
            arrivals: [(trip: String, stop: String, time: Int)],
            last: [String: (stop: String, arrival: Int?, departure: Int?)]
        ) {
            let top = fields(bytes)
            var rows: [(trip: String, stop: String, time: Int)] = []
            var arrivals: [(trip: String, stop: String, time: Int)] = []
            var last: [String: (stop: String, arrival: Int?, departure: Int?)] = [:]
            for entity in part(top, 2) {
                for update in part(fields(entity), 3) {
                    let parts = fields(update)
                    let trip = part(fields(part(parts, 1)[0]), 1).first ?? []
                    for call in part(parts, 2).map(fields) {
                        last[String(decoding: trip, as: UTF8.self)] = (
                            String(decoding: part(call, 4).first ?? [], as: UTF8.self),
                            part(call, 2).first.flatMap { value(fields($0), 2) },
                            part(call, 3).first.flatMap { value(fields($0), 2) }
                        )
                        if part(call, 3).isEmpty,
                            let time = part(call, 2).first.flatMap({ value(fields($0), 2) })
                        {
                            arrivals.append(
                                (
                                    String(decoding: trip, as: UTF8.self),
                                    String(decoding: part(call, 4).first ?? [], as: UTF8.self), time
                                ))
                        }
                        guard let event = part(call, 3).first, let time = value(fields(event), 2) else {
                            continue
                        }
                        rows.append(
                            (
                                String(decoding: trip, as: UTF8.self),
                                String(decoding: part(call, 4).first ?? [], as: UTF8.self), time
                            ))
                    }
                }
            }
            return (value(fields(part(top, 1)[0]), 3) ?? 0, rows, arrivals, last)
        }
    }
}
