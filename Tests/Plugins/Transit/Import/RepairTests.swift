import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Faults that a strict import refuses and a lenient one repairs: encodings, control characters, trips with
/// missing calls, flexible services, overlapping frequencies. Expected values are by hand from the few
/// lines of each feed.
@Suite struct RepairTests {
    private let folder: TemporaryFolder
    private var database: URL { folder.url.appendingPathComponent("gtfs.db") }

    init() throws { folder = try TemporaryFolder() }

    private func source(_ changes: [String: String?]) -> FeedSource {
        let tables = ImportTests.small.merging(changes.compactMapValues { $0 }) { $1 }.filter {
            changes[$0.key] != .some(nil)
        }
        return FeedSource(name: "small", tables: tables)
    }

    private func run(_ changes: [String: String?], lenient: Bool = false) throws -> FeedImportReport {
        try FeedImport.run(source(changes), to: database, isLenient: lenient)
    }

    private func refusal(_ changes: [String: String?]) -> RutterError? {
        do {
            _ = try run(changes)
            return nil
        } catch {
            return error as? RutterError
        }
    }

    /// Writes the small feed as a folder whose stops are in another encoding.
    private func latin(_ encoding: String.Encoding, stops: String) throws -> URL {
        let feed = folder.url.appendingPathComponent("feed", isDirectory: true)
        try FileManager.default.createDirectory(at: feed, withIntermediateDirectories: true)
        for (name, text) in ImportTests.small {
            let data = name == "stops.txt" ? stops.data(using: encoding) : Data(text.utf8)
            try #require(data).write(to: feed.appendingPathComponent(name))
        }
        return feed
    }

    @Test(arguments: [
        (String.Encoding.isoLatin1, "Bahnhöfe", "ISO-8859-1"), (.windowsCP1252, "Zoë’s €", "Windows-1252"),
    ])
    func otherEncodings(encoding: String.Encoding, name: String, guess: String) throws {
        let stops =
            "stop_id,stop_name,stop_lat,stop_lon\nX,Xanten,51.66,6.45\nY,\(name),50.85,2.88\nZ,Zell,50,7\n"
        let url = try latin(encoding, stops: stops)
        do {
            _ = try FeedImport.run(url, to: database)
            Issue.record("a table in another encoding was imported")
        } catch let error as RutterError {
            #expect(error.code == "E-GTFS-ENCODING")
            #expect(error.message.hasPrefix("stops.txt, line 3"), "\(error.message)")
            #expect(error.message.contains(guess), "\(error.message)")
        }
        #expect(!FileManager.default.fileExists(atPath: database.path))
        let report = try FeedImport.run(url, to: database, isLenient: true)
        #expect(report.problems.map(\.outcome) == [.repaired])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try feed.stops.with(id: "Y")?.name == name)
    }

    /// Spreadsheets save "Unicode text" as UTF-16.
    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
    func utf16(encoding: String.Encoding) throws {
        let url = try latin(
            encoding,
            stops:
                "\u{FEFF}stop_id,stop_name,stop_lat,stop_lon\r\nX,Köln 🚋,51.66,6.45\r\nY,b,50.85,2.88\r\nZ,c,50,7\r\n"
        )
        let report = try FeedImport.run(url, to: database, isLenient: true)
        #expect(report.problems.map(\.text) == ["it is UTF-16, not UTF-8, and read all the same"])
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        #expect(try feed.stops.with(id: "X")?.name == "Köln 🚋")
        let strict = folder.url.appendingPathComponent("strict.db")
        #expect {
            _ = try FeedImport.run(url, to: strict)
        } throws: { ($0 as? RutterError)?.code == "E-GTFS-ENCODING" }
    }

    /// Units of UTF-16 that are split between two reads are whole, and halves of characters are replaced.
    @Test(arguments: [1, 2, 3, 5, 64])
    func unitsAcrossReads(step: Int) throws {
        final class Steps: ByteSource {
            var rest: ArraySlice<UInt8>
            let step: Int
            init(_ bytes: [UInt8], _ step: Int) { (rest, self.step) = (bytes[...], step) }
            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                let part = rest.prefix(min(step, buffer.count))
                buffer.copyBytes(from: part)
                rest = rest.dropFirst(part.count)
                return part.count
            }
        }
        var bytes: [UInt8] = []
        for unit in Array("aé🚋".utf16) + [0xD83D, 0x62] { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        bytes.append(0x63)
        let converted = UTF16Bytes(Steps(bytes, step), isBigEndian: false, first: [])
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 16)
        defer { buffer.deallocate() }
        var out: [UInt8] = []
        while case let count = try converted.read(into: buffer), count > 0 { out += buffer[..<count] }
        #expect(String(decoding: out, as: UTF8.self) == "aé🚋\u{FFFD}b\u{FFFD}")
    }

    /// A character split across two reads is decoded as one, at every split.
    @Test func charactersAcrossReads() throws {
        final class Dribble: ByteSource {
            var rest: ArraySlice<UInt8>
            let step: Int
            init(_ bytes: [UInt8], _ step: Int) { (rest, self.step) = (bytes[...], step) }
            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                let part = rest.prefix(min(step, buffer.count))
                buffer.copyBytes(from: part)
                rest = rest.dropFirst(part.count)
                return part.count
            }
        }
        func read(_ bytes: [UInt8], _ step: Int) throws -> (String, TextRepair.Fault?) {
            let repair = TextRepair(Dribble(bytes, step))
            var out: [UInt8] = []
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                let count = try repair.read(into: buffer)
                if count == 0 { break }
                out += buffer[..<count]
            }
            return (String(decoding: out, as: UTF8.self), repair.fault)
        }
        let text = "aé€😀\nb\u{10FFFF}c"
        let broken = Array("x\ny".utf8) + [0xE9, 0x20, 0xF0, 0x9F, 0x98] + Array("z€".utf8) + [0xC3]
        for step in 1...12 {
            let whole = try read(Array(text.utf8), step)
            #expect(whole.0 == text)
            #expect(whole.1 == nil)
            let repaired = try read(broken, step)
            #expect(repaired.0 == "x\nyé ðŸ˜z€Ã", "\(step)")
            #expect(repaired.1?.line == 2)
            #expect(repaired.1?.count == 5)
        }
    }

    /// Quotes of a line in errors have no control characters.
    @Test func tabsInErrors() throws {
        var tables = ImportTests.small
        tables["stops.txt", default: ""] += "N,North,0.5x\t,6\n"
        let folder = try TemporaryFolder()
        #expect {
            _ = try FeedImport.run(
                FeedSource(name: "f", tables: tables), to: folder.url.appendingPathComponent("gtfs.db"),
                isLenient: false)
        } throws: { ($0 as? RutterError)?.message == #"stops.txt, line 5: invalid stop_lat `0.5x\t`"# }
    }

    @Test func tabsAroundValues() throws {
        let times =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + "T,08:00:00,08:00:00,X,\t1\nT,08:10:00\u{1},08:11:00,Y,\t2\t\n\tT,08:20:00,08:20:00,Z,3\n"
        #expect(refusal(["stop_times.txt": times])?.code == "E-GTFS-ROW")
        let report = try run(["stop_times.txt": times], lenient: true)
        #expect((report.stopTimes, report.trips) == (3, 1))
        #expect(
            report.problems.map(\.text) == [
                "control characters or hidden spaces around values were removed in 3 lines"
            ])
    }

    /// The first call determines the times of all others; without it every frequency-based run would leave
    /// ten minutes late.
    @Test(arguments: [("Q,1", "first"), ("Y,2", ""), ("Q,3", "last"), ("X,one", "unknown")])
    func lostCalls(row: String, which: String) throws {
        let rows = ["X,1", "Y,2", "Z,3"].map {
            $0.hasSuffix(row.suffix(1)) || which == "unknown" && $0 == "X,1" ? row : $0
        }
        let changed = which.isEmpty ? ["X,1", "Q,2", "Z,3"] : rows
        let times = ["08:00:00", "08:10:00", "08:20:00"]
        let table =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + zip(times, changed).map { "T,\($0),\($0),\($1)\n" }.joined()
        let frequencies = "trip_id,start_time,end_time,headway_secs\nT,06:00:00,07:00:00,600\n"
        let report = try run(["stop_times.txt": table, "frequencies.txt": frequencies], lenient: true)
        #expect(report.trips == (which.isEmpty ? 1 : 0), "\(report.problems.map(\.text))")
        #expect(report.problems.count == (which.isEmpty ? 1 : 2))
        if !which.isEmpty {
            #expect(report.problems[1].text.contains("\(which)"), "\(report.problems[1].text)")
        }
    }

    @Test func overlappingFrequencies() throws {
        let rows =
            "trip_id,start_time,end_time,headway_secs\nT,08:00:00,10:00:00,600\nT,09:00:00,11:00:00,600\nT,11:00:00,12:00:00,600\n"
        let error = refusal(["frequencies.txt": rows])
        #expect(
            error?.message
                == "frequencies.txt, line 3: the period overlaps that of line 2, 08:00:00 to 10:00:00")
        let report = try run(["frequencies.txt": rows], lenient: true)
        #expect((report.frequencies, report.problemCount) == (2, 1))
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        let stop = try #require(try feed.stops.with(id: "X"))
        // 2026-02-06 at 09:30 in Berlin.
        let board = try feed.board(of: stop, at: 1_770_366_600, within: 1800, limit: 20)
        #expect(board.departures.map(\.clock) == ["09:30", "09:40", "09:50"])
    }

    /// Fixed-route trips are kept, the others counted; the feed is not invalid.
    @Test func flexibleServices() throws {
        let report = try run([
            "trips.txt": "route_id,service_id,trip_id\nR,S,T\nR,S,F\nR,S,G\n",
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,location_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window\n"
                + "T,08:00:00,08:00:00,X,,1,,\nF,,,,zone,1,07:00:00,19:00:00\nG,09:00:00,09:00:00,X,,1,,\n"
                + "T,08:20:00,08:20:00,Z,,2,,\nF,,,,zone,2,07:00:00,19:00:00\nG,,,,zone,2,09:00:00,10:00:00\n",
        ])
        #expect((report.trips, report.flexibleTrips, report.tripsWithoutTimes) == (1, 2, 0))
        #expect(report.problemCount == 0)
    }

    @Test func withoutStops() throws {
        let changes: [String: String?] = [
            "stops.txt": nil, "locations.geojson": "{}",
            "stop_times.txt":
                "trip_id,location_id,stop_sequence,start_pickup_drop_off_window\nT,zone,1,07:00:00\nT,zone,2,07:00:00\n",
        ]
        let report = try run(changes)
        #expect((report.stops, report.trips, report.routes) == (0, 0, 1))
        let error = refusal(["stops.txt": nil])
        #expect(error?.code == "E-GTFS-FILE")
        #expect(error?.message == "small has no stops.txt, so none of its trips can be kept")
        #expect(try run(["stops.txt": nil], lenient: true).problemCount == 1)
    }

    /// The natural order of names is a strict order.
    @Test func orderOfNames() {
        let sorted = ["2", "2A", "10", "A2", "a10", "RNV 5", "RNV 24", "S1", "S12", "Ä", ""]
        #expect(sorted.shuffled().sorted(by: NaturalOrder.precedes) == sorted)
        for (index, left) in sorted.enumerated() {
            for (other, right) in sorted.enumerated() {
                #expect(NaturalOrder.precedes(left, right) == (index < other), "\(left) \(right)")
            }
        }
        #expect(NaturalOrder.precedes("7", "007") != NaturalOrder.precedes("007", "7"))
    }

    /// Files of a killed process are deleted; those of a running one are kept.
    @Test func leftovers() throws {
        var dead: Int32 = 0
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/bin/true")
        try child.run()
        dead = child.processIdentifier
        child.waitUntilExit()
        let names = [
            ".gtfs.db.\(dead).tmp", ".gtfs.db.\(dead).1234-ABCD.replaced", ".gtfs.db.\(getpid()).9.replaced",
            ".gtfs.db.notes", ".other.db.\(dead).tmp",
        ]
        for name in names { try Data().write(to: folder.url.appendingPathComponent(name)) }
        _ = try run([:])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(left == [names[2], names[3], names[4], "gtfs.db"].sorted())
    }
}
