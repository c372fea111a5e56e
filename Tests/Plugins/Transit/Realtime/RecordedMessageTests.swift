import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing
import TransitReference

@testable import TransitPlugin

/// All layers agree under messages: each row of a board is a call of its trip at the same times, each call that is due is
/// on the board of its stop, each run is a column of its line's timetable, and each leg of a journey is on the boards at both
/// of its ends.
@Suite struct RecordedMessageTests {
    /// Recordings of agencies: a folder each, with `feed.zip` and the messages `*.pb` and `*.json` of its days. `RUTTER_RECORDINGS` names
    /// another folder than that of the real data.
    private static let agencies: [URL] = {
        let named = ProcessInfo.processInfo.environment["RUTTER_RECORDINGS"].map {
            URL(fileURLWithPath: $0, isDirectory: true)
        }
        let folder = named ?? RealData.url("gtfs-rt/agencies")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0) }
            .filter {
                FileManager.default.fileExists(atPath: $0.appendingPathComponent("feed.zip").path)
            }
    }()

    private func compare(
        _ archive: URL, _ messages: [URL], journeys: Int, boards: Int
    ) throws -> LayerAgreement.Counts {
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(archive, to: database, isLenient: true)
        var total = LayerAgreement.Counts()
        for (index, message) in messages.enumerated() {
            let feed = try Feed(database, isOwn: true, fallback: .gmt)
            var agreement = try LayerAgreement(feed, [UInt8](Data(contentsOf: message)))
            try agreement.compareBoards(atMost: boards)
            try agreement.compareTimetables(atMost: boards)
            try agreement.compareJourneys(journeys, seed: UInt64(47 + index))
            let few = agreement.differences.prefix(5).joined(separator: "\n")
            #expect(
                agreement.differences.isEmpty,
                "\(message.lastPathComponent): \(agreement.differences.count) of \(agreement.counts): \(few)")
            total.add(agreement.counts)
        }
        print("layers of \(archive.deletingLastPathComponent().lastPathComponent): \(total)")
        return total
    }

    @Test(.enabled(if: RealData.has("gtfs-rt/caltrain.zip"), "needs the folder of real data"))
    func boardsTripsTimetablesAndJourneysAgree() throws {
        let counts = try compare(
            RealData.url("gtfs-rt/caltrain.zip"),
            ["ct-trip-updates.pb", "ct-vehicle-positions.pb"].map { RealData.url("gtfs-rt/\($0)") },
            journeys: 60, boards: 400)
        #expect(counts.rows > 200)
        #expect(counts.calls > 200)
        #expect(counts.legs > 40)
        #expect(counts.lateLegs > 5)
    }

    @Test(.enabled(if: !agencies.isEmpty, "needs recordings of agencies"), arguments: agencies)
    func agenciesAgree(folder: URL) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let messages = names.filter { $0.hasSuffix(".pb") || $0.hasSuffix(".json") }.map {
            folder.appendingPathComponent($0)
        }
        let counts = try compare(
            folder.appendingPathComponent("feed.zip"), messages, journeys: 40, boards: 150)
        #expect(counts.boards > 0 || counts.runs == 0)
    }

    /// Random messages of all kinds in a random town.
    @Test(arguments: [21, 22, 23] as [UInt64])
    func randomMessagesAgree(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var tables = RandomTown(seed: seed).tables
        tables["frequencies.txt"] = """
            trip_id,start_time,end_time,headway_secs,exact_times
            T0-0,06:00:00,10:00:00,1200,0

            """
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(FeedSource(name: "town", tables: tables), to: database, isLenient: true)
        let days = [20_260_205, 20_260_206]
        var source = Xoshiro256(seed: seed)
        let random = RandomMessages(tables)
        var total = LayerAgreement.Counts()
        for index in 0..<4 {
            let plain = PlainRuns(tables, day: days[1], message: nil, now: 0)
            let now = plain.moment(days[1], Int.random(in: 6...18, using: &source), 20)
            let message = random.message(days: days, now: now, using: &source)
            let feed = try Feed(database, isOwn: true, fallback: .gmt)
            var agreement = try LayerAgreement(feed, MessageOracleTests.encoded(message).bytes)
            try agreement.compareBoards(atMost: 100)
            try agreement.compareTimetables(atMost: 60)
            try agreement.compareJourneys(15, seed: seed &+ UInt64(index))
            let few = agreement.differences.prefix(5).joined(separator: "\n")
            #expect(agreement.differences.isEmpty, "\(agreement.differences.count): \(few)")
            total.add(agreement.counts)
        }
        #expect(total.rows > 20)
        #expect(total.legs > 10)
        print("layers of town \(seed): \(total)")
    }
}
