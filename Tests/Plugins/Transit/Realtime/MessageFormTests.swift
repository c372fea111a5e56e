import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Messages as JSON and in the text form of Protocol Buffers are read as those in the binary form are.
@Suite struct MessageFormTests {
    private static func feed(_ text: String) throws -> RealtimeFeed {
        try RealtimeFeed(anyForm: Array(text.utf8), named: "m")
    }

    private static func refusal(_ text: String) -> String {
        do {
            _ = try feed(text)
            return ""
        } catch {
            return (error as? RutterError)?.message ?? "\(error)"
        }
    }

    @Test func formsOfOneMessage() throws {
        for (index, text) in MessageForms.all {
            let read = try Self.feed(text)
            #expect(
                EncodedMessageTests.lines(read).joined(separator: "\n") == EncodedMessages.all[index].content)
            #expect(read.unread.isEmpty)
        }
    }

    private static let call = "\"stop_id\": \"B\", \"arrival\": {\"delay\": 60}"

    /// Spellings and wrappings of services: names in each case, one item for a list of one, numbers as texts, numbers of 64 bits in
    /// halves, times with fractions, answers around the message, no header.
    @Test(arguments: [
        "{\"Header\":{\"GtfsRealtimeVersion\":\"2.0\",\"Timestamp\":1770360900},\"Entities\":[{\"Id\":\"1\","
            + "\"TripUpdate\":{\"Trip\":{\"TripId\":\"t1\",\"ScheduleRelationship\":\"Scheduled\"},"
            + "\"StopTimeUpdates\":[{\"StopId\":\"B\",\"Arrival\":{\"Delay\":60}}]}}]}",
        "{\"status\":\"OK\",\"response\":{\"header\":{\"timestamp\":1770360900.52},\"entity\":[{\"id\":1,"
            + "\"trip_update\":{\"trip\":{\"trip_id\":\"t1\"},\"stop_time_update\":{\(call)}}}]}}",
        "{\"header\":{\"timestamp\":{\"low\":1770360900,\"high\":0,\"unsigned\":true}},\"entity\":[{\"id\":\"1\","
            + "\"tripUpdate\":{\"trip\":{\"tripId\":\"t1\",\"startDate\":null,\"scheduleRelationship\":0},"
            + "\"stopTimeUpdate\":[{\"stopId\":\"B\",\"arrival\":{\"delay\":\"60\",\"time\":\"\"}}]}}]}",
        "[{\"id\":\"1\",\"trip_update\":{\"timestamp\":\"2026-02-06T07:55:00+01:00\",\"trip\":{\"trip_id\":\"t1\"},"
            + "\"stop_time_update\":[{\(call),\"extra\":{\"a\":[1]}}]}}]",
        "# a comment\nheader <\n  timestamp: 1770360900 # seconds\n>\nentity {\n  id: \"1\"\n  trip_update {\n"
            + "    trip { trip_id: 't' \"1\" [transit.ext]: { a: [1, 2] } }\n"
            + "    stop_time_update: [{ stop_id: \"\\102\", arrival { delay: 60 } }];\n  }\n}\n",
    ])
    func habitsOfServices(text: String) throws {
        let feed = try Self.feed(text)
        let update = try #require(feed.updates.first)
        #expect(update.id == "1")
        #expect(update.trip.trip == "t1")
        #expect(update.stops.map(\.stop) == ["B"])
        #expect(update.stops.first?.arrival?.delay == 60)
        #expect(update.stops.first?.arrival?.time == nil)
        #expect(feed.time ?? update.time == StreetFeed.now)
        #expect(feed.unread.isEmpty)
    }

    /// A value that cannot be read costs its entity alone, and is said.
    @Test(arguments: [
        (
            "\"arrival\":{\"delay\":\"soon\"}",
            "stop_time_update[0].arrival.delay is `soon`, not a whole number"
        ),
        ("\"arrival\":{\"time\":\"08:15\"}", "arrival.time is `08:15`, not in seconds since 1970"),
        ("\"schedule_relationship\":\"LATE\"", "is `LATE`, which GTFS-realtime does not have"),
        ("\"arrival\":7", "arrival is `7`, not a message"),
        ("\"stop_id\":{}", "stop_id is an object, not a text"),
    ])
    func valuesThatCannotBeRead(value: String, words: String) async throws {
        func update(_ id: String, _ trip: String, _ call: String) -> String {
            "{\"id\":\"\(id)\",\"trip_update\":{\"trip\":{\"trip_id\":\"\(trip)\"},\"stop_time_update\":[{\(call)}]}}"
        }
        let text =
            "{\"header\":{\"gtfs_realtime_version\":\"2.0\",\"timestamp\":\(StreetFeed.now)},\"entity\":["
            + update("x", "t1", value) + "," + update("y", "t2", Self.call) + "]}"
        let session = try await StreetFeed.session()
        try Data(text.utf8).write(to: session.folder.url.appendingPathComponent("m.json"))
        let answer = await session.run("feed realtime m.json")
        #expect(answer.contains("m.json: entity x is not used: trip_update."), "\(answer)")
        #expect(answer.contains(words), "\(answer)")
        #expect(await session.shown("feed updates | get trip") == "t2")
    }

    @Test(arguments: [
        ("{\"header\": {}, \"entity\": [", "not readable as JSON: line 1"),
        ("{\"header\": {\"timestamp\": \"now\"}}", "header.timestamp is `now`, not in seconds since 1970"),
        ("{\"a\": 1}", "JSON without the header or the entities of a GTFS-realtime message"),
        ("header {\n  timestamp 5\n}", "line 2: expected `:` or `{`"),
        ("header {\n", "line 2: the text ends within a message"),
        ("header: " + String(repeating: "[", count: 200_000), "line 1: lists are nested too deep"),
        ("{\"last_updated\": 1, \"ttl\": 0, \"data\": {}}", "GBFS, data of shared bikes or cars"),
        ("<Siri xmlns=\"http://www.siri.org.uk/siri\">", "SIRI, another format for realtime"),
        ("{\"Siri\":{\"ServiceDelivery\":{}}}", "SIRI, another format for realtime"),
    ])
    func whatIsNoMessage(text: String, words: String) {
        let message = Self.refusal(text)
        #expect(message.contains(words), "\(message)")
    }

    /// Other JSON in a folder of messages is passed over; a message that was cut is refused by its name.
    @Test func foldersOfMessages() async throws {
        let session = try await StreetFeed.session()
        let folder = session.folder.url.appendingPathComponent("messages", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let whole =
            "{\"header\":{\"gtfs_realtime_version\":\"2.0\",\"timestamp\":\(StreetFeed.now)},\"entity\":[]}"
        try write("a.json", whole)
        try write("config.json", "{\"header\": \"x\", // a comment\n")
        #expect(await session.shown("feed realtime messages | get file") == "a.json")
        try write("b.json", String(whole.dropLast(2)))
        let answer = await session.run("feed realtime messages")
        #expect(answer.contains("b.json: not readable as JSON"), "\(answer)")
    }

    /// Characters by their numbers, as printers of other languages write them.
    @Test(arguments: [
        (#"\u00e9t\u00C9"#, "étÉ"), (#"\U0001F68B"#, "🚋"), (#"\ud83d\ude8b!"#, "🚋!"),
        (#"\x41\?\a"#, "A?\u{7}"),
    ])
    func numbersOfCharacters(written: String, text: String) throws {
        let feed = try Self.feed(
            "header { gtfs_realtime_version: \"2.0\" timestamp: 1 }\n"
                + "entity { id: \"1\" alert { header_text { translation { text: \"\(written)\" } } } }")
        #expect(feed.alerts.map(\.header) == [text])
    }

    @Test func numbersThatAreNoCharacters() {
        let text = "header { gtfs_realtime_version: \"\\uD83Dx\" timestamp: 1 }"
        #expect(Self.refusal(text).hasSuffix("no character has the number D83D"))
    }

    /// What a DIFFERENTIAL message says is true as far as it goes: the boards say that it goes no farther.
    @Test func partsOfWhatIsKnown() async throws {
        let session = try await StreetFeed.session()
        try Data(
            ("header { gtfs_realtime_version: \"2.0\" incrementality: DIFFERENTIAL timestamp: \(StreetFeed.now) }\n"
                + "entity { id: \"1\" trip_update { trip { trip_id: \"t1\" }"
                + " stop_time_update { stop_id: \"B\" arrival { delay: 300 } } } }").utf8
        ).write(to: session.folder.url.appendingPathComponent("part.txt"))
        let answer = await session.run("feed realtime part.txt")
        #expect(answer.contains("it is DIFFERENTIAL, a part of what is known"), "\(answer)")
        #expect(await session.run("feed updates | first | get outcome") == "applied")
    }
}
