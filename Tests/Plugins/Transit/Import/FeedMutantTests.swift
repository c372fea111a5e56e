import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Mutants of the tables of a feed and of realtime messages.
@Suite(.serialized) struct FeedMutantTests {
    private static let count = 24
    /// The tables of a feed of some lines, each with a trip of two calls.
    private static let tables: [MutableFile] = [
        table("agency.txt", "agency_id,agency_name,agency_url,agency_timezone") { index in
            index > 0 ? "" : "A,Agency,http://a.example,Europe/Berlin\n"
        },
        table("stops.txt", "stop_id,stop_name,stop_lat,stop_lon") { index in
            "\(id("S", index)),Stop \(index),47.\(1000 + 7 * index),8.\(2000 + 9 * index)\n"
        },
        table("routes.txt", "route_id,agency_id,route_short_name,route_long_name,route_type") { index in
            "\(id("R", index)),A,\(index),Line \(index),3\n"
        },
        table(
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
        ) { index in "\(id("D", index)),1,1,1,1,1,0,0,20260101,202612\(10 + index % 20)\n" },
        table("calendar_dates.txt", "service_id,date,exception_type") { index in
            "\(id("D", index)),202607\(10 + index % 20),2\n"
        },
        table("trips.txt", "trip_id,route_id,service_id,trip_headsign") { index in
            "\(id("T", index)),\(id("R", index)),\(id("D", index)),Head \(index)\n"
        },
        table("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence") { index in
            let (minute, other) = (10 + index, (index + 5) % count)
            return "\(id("T", index)),08:\(minute):00,08:\(minute):30,\(id("S", index)),1\n"
                + "\(id("T", index)),09:\(minute):00,09:\(minute):30,\(id("S", other)),2\n"
        },
        table("frequencies.txt", "trip_id,start_time,end_time,headway_secs") { index in
            "\(id("T", index)),10:\(10 + index):00,12:\(10 + index):00,\(600 + index)\n"
        },
        table("transfers.txt", "from_stop_id,to_stop_id,transfer_type,min_transfer_time") { index in
            "\(id("S", index)),\(id("S", (index + 3) % count)),2,\(120 + index)\n"
        },
    ]

    /// An identifier that no single change turns into another one's: of two rows with one identifier nobody knows which is meant.
    private static func id(_ kind: String, _ index: Int) -> String {
        kind + String(repeating: Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(index))), count: 3)
    }

    /// A table; whether a change stays in its row is asked at full length.
    private static func table(_ name: String, _ head: String, _ row: (Int) -> String) -> MutableFile {
        let rows = (0..<count).map(row).filter { !$0.isEmpty }
        guard MutantTrial.isLong else {
            return MutableFile(name, whole: Array((head + "\n" + rows.joined()).utf8))
        }
        return MutableFile(name, head: head + "\n", items: rows, tail: "", isOfLines: true)
    }

    /// What is known of each row of a table.
    private static func rows(of table: String, _ content: FeedContent) -> [String] {
        func stop(_ index: Int32) -> String { content.stopIDs.text(Int(index)) }
        func trip(_ index: Int) -> String { content.tripIDs.text(index) }
        switch table {
        case "agency.txt": return content.agencies.isEmpty ? [] : ["\(content.agencies) \(content.zone)"]
        case "stops.txt":
            return content.stops.enumerated().map { index, row in
                "\(stop(Int32(index))) \(row.name) \(row.latitude) \(row.longitude)"
            }
        case "routes.txt":
            return content.routes.enumerated().map { index, row in
                "\(content.routeIDs.text(index)) \(row.shortName) \(row.longName) \(row.type)"
            }
        case "calendar.txt":
            return content.calendar.map {
                "\(content.serviceIDs.text(Int($0.service))) \($0.days) \($0.start) \($0.end)"
            }
        case "calendar_dates.txt":
            return content.exceptions.map {
                "\(content.serviceIDs.text(Int($0.service))) \($0.date) \($0.isAdded)"
            }
        case "trips.txt":
            return content.trips.enumerated().map { index, row in
                let route = row.route < 0 ? "" : content.routeIDs.text(Int(row.route))
                let headsign = row.headsign < 0 ? "" : content.texts.text(Int(row.headsign))
                return "\(trip(index)) \(route) \(headsign)"
            }
        case "stop_times.txt":
            return content.trips.enumerated().map { index, row in
                guard row.pattern >= 0 else { return trip(index) }
                let pattern = content.patterns[Int(row.pattern)]
                let calls = content.patternStops[pattern.first..<pattern.first + pattern.count].map {
                    "\(stop($0.stop)) \($0.sequence) \(row.start + $0.arrival) \(row.start + $0.departure)"
                }
                return "\(trip(index)): \(calls)"
            }
        case "frequencies.txt":
            return content.frequencies.map { "\(trip(Int($0.trip))) \($0.start) \($0.end) \($0.headway)" }
        default: return content.transfers.map { "\(stop($0.from)) \(stop($0.to)) \($0.type) \($0.seconds)" }
        }
    }

    @Test(arguments: tables) func aTable(file: MutableFile) async throws {
        let folder = try TemporaryFolder()
        for table in Self.tables where table.name != file.name {
            try Data(table.bytes).write(to: folder.url.appendingPathComponent(table.name))
        }
        try await MutantTrial([file]) { bytes, name in
            try Data(bytes).write(to: folder.url.appendingPathComponent(name))
            var reader = FeedReader(
                try FeedSource(folder.url), isLenient: true, progress: ProgressReporter())
            try reader.read()
            let parts = reader.problems.rows.parts(of: nil)
            let wrong = parts.filter { !$0.addsUp }
            #expect(wrong.isEmpty, "\(name): \(wrong)")
            return Self.rows(of: name, reader.content)
        }.run()
    }

    @Test func aRealtimeMessage() async throws {
        let files = EncodedMessages.all.enumerated().compactMap { index, message in
            Data(base64Encoded: message.message, options: .ignoreUnknownCharacters).map {
                MutableFile("\(index).pb", whole: Array($0), share: 0.2)
            }
        }
        try await MutantTrial(files) { bytes, _ in
            let feed = try RealtimeFeed(bytes)
            return feed.updates.map(\.id) + feed.vehicles.map(\.id) + feed.alerts.map(\.id)
        }.run()
    }
}
