import CivilTime
import Foundation
import GRDB
import PluginKit
import PluginTestKit
import TrailStores

@testable import StoresPlugin

/// Faults of documents and of files.
extension PlantedFault {
    static let plannedRoutes: [PlantedFault] = [
        ("\"mode\":\"hiking\"", "\"mode\":\"flying\"", "JSON", "mode"),
        ("\"name\":\"To the hut\"", "\"name\":\"To the hut\",\"n\\u0061me\":\"Home\"", "KEY", "`name`"),
        ("\"createdAt\":\"2026", "\"createdAt\":\"2093", "YEAR", "future"),
        ("\"estimatedDuration\":1000", "\"estimatedDuration\":1", "NUMBER", "estimatedDuration"),
        ("\"elevationGain\":0", "\"elevationGain\":3000", "PROFILE", "elevationGain"),
        (
            "{\"coordinate\":{\"latitude\":0,\"longitude\":0.01}",
            "{\"coordinate\":{\"latitude\":1,\"longitude\":0.01}", "TURNS", "instruction 2"
        ),
        ("\"viaPoints\":[]", "\"viaPoints\":[{\"latitude\":1,\"longitude\":0}]", "ENDS", "via point 1"),
        ("\"elevationGain\":0,", "", "JSON", "elevationGain"),
        ("\"createdAt\":\"2026", "\"createdAt\":\"soon 2026", "JSON", "createdAt"),
        ("\"totalDistance\":1113.2", "\"totalDistance\":2113.2", "DISTANCE", "2.11"),
        ("\"estimatedDuration\":1000", "\"estimatedDuration\":-1", "NUMBER", "-1"),
        (
            "{\"latitude\":0,\"longitude\":0.01},\"viaPoints\":[]",
            "{\"latitude\":0,\"longitude\":0.1},\"viaPoints\":[]", "ENDS", "end"
        ),
        ("\"viaPoints\":[]", "\"viaPoints\":[{\"latitude\":95,\"longitude\":0}]", "PLACE", "95"),
        (
            "[{\"latitude\":0,\"longitude\":0},{\"latitude\":0,\"longitude\":0.01}]", "[]", "EMPTY",
            "0 coordinates"
        ),
        ("\"direction\":\"arrive\"", "\"direction\":\"left\"", "TURNS", "left"),
        ("\"cumulativeDistance\":1113", "\"cumulativeDistance\":0", "TURNS", "the arrival is at 0m"),
        (
            "\"direction\":\"arrive\",\"bearing\":90", "\"direction\":\"arrive\",\"bearing\":400", "TURNS",
            "400"
        ),
        ("{\"distance\":0,\"elevation\":1}", "{\"distance\":2000,\"elevation\":1}", "PROFILE", "point 2"),
        ("0F8D72C2-95EC", "1F8D72C2-95EC", "FILE", "1F8D72C2"),
        ("08:15:30Z", "08:15:30.5Z", "FRACTION", "skips the file"),
        ("2026-02-06T", "1970-02-06T", "YEAR", "1970"),
        ("2026-02-06T", "2126-02-06T", "YEAR", "2126"),
        ("\"elevation\":2", "\"elevation\":20000", "HEIGHT", "20km"),
        (
            "\"elevationProfile\"", "\"modifiedAt\":\"2020-01-01T00:00:00Z\",\"elevationProfile\"", "BEFORE",
            "before createdAt"
        ),
        (
            "[{\"latitude\":0,\"longitude\":0},{\"latitude\":0,\"longitude\":0.01}]",
            "[{\"latitude\":0,\"longitude\":0},{\"latitude\":0,\"longitude\":0.0001},{\"latitude\":20,\"longitude\":0},{\"latitude\":0,\"longitude\":0.0002},{\"latitude\":0,\"longitude\":0.0003},{\"latitude\":0,\"longitude\":0.0004},{\"latitude\":0,\"longitude\":0.01}]",
            "JUMP", "point 3 of 7"
        ),
    ].map { PlantedFault(.plannedRoutes, .text($0.0, $0.1), "ROUTE-" + $0.2, $0.3) }

    static let documents: [PlantedFault] = [
        PlantedFault(.locations, .text("A0000000-", "A-"), "LOCATION-JSON", "id"),
        PlantedFault(.locations, .text("46.5", "95"), "LOCATION-PLACE", "95"),
        PlantedFault(
            .locations, .text("\"latitude\":46.5", "\"latitude\":46.5,\"latitude\":46.5"), "DOCUMENT-KEY",
            "`latitude`"),
        PlantedFault(.locations, .text("true", "1"), "LOCATION-JSON", "isEnabled"),
        PlantedFault(
            .locations, .text("]", "," + FormatFixture.locations.dropFirst()), "LOCATION-TWICE", "entry 1"),
        PlantedFault(
            .locations, .text("]", "," + FormatFixture.locations.dropFirst().replacing("A0", with: "C0")),
            "LOCATION-SAME", "entry 1"),
        PlantedFault(
            .locations, .text("46.5,\"longitude\":7.9", "0,\"longitude\":0"), "LOCATION-ZERO", "0,0"),
        PlantedFault(
            .tones, .text("\"pingDuration\":0.5", "\"pingDuration\":\"long\""), "TONE-JSON", "pingDuration"),
        PlantedFault(.tones, .text("\"frequency\":830.0", "\"frequency\":3"), "TONE-RANGE", "frequency"),
        PlantedFault(.tones, .text("]", "," + FormatFixture.tones.dropFirst()), "TONE-TWICE", "entry 1"),
    ]

    static let own: [PlantedFault] = [
        PlantedFault(.cloud, .sql("UPDATE zones SET floor = 9"), "CLOUD-ZONE", "floor 9"),
        PlantedFault(.cloud, .sql("DELETE FROM zones"), "CLOUD-ZONE", "unknown zone"),
        PlantedFault(.cloud, .sql("UPDATE records SET tag = 99 WHERE name = 'a'"), "CLOUD-TAG", "99"),
        PlantedFault(.cloud, .sql("UPDATE records SET deleted = 7 WHERE name = 'a'"), "CLOUD-RECORD", "7"),
        PlantedFault(.link, .sql("UPDATE link_items SET state = 'lost'"), "LINK-STATE", "lost"),
        PlantedFault(.link, .sql("UPDATE link_items SET channel = 'pigeon'"), "LINK-STATE", "pigeon"),
        PlantedFault(.link, .sql("UPDATE link_items SET payload = 'no'"), "LINK-PAYLOAD", "2 characters"),
    ]

    // MARK: Files

    /// A file of more than two pages, changed byte by byte.
    static let files: [PlantedFault] = [
        bytes("TRUNCATED", "into page") { $0.removeLast(100) },
        bytes("TRUNCATED", "of the") { $0.removeLast(4096) },
        bytes("TRUNCATED", "within the header") { $0 = Array($0.prefix(60)) },
        bytes("APPENDED", "8192 bytes follow") { $0 += [UInt8](repeating: 0, count: 8192) },
        bytes("APPENDED", "100 bytes follow") { $0 += [UInt8](repeating: 7, count: 100) },
        bytes("PAGECOUNT", "the file has") { $0 += $0.suffix(4096) },
        bytes("HEADER", "reserved bytes") { $0[20] = 16 },
        bytes("HEADER", "payload fractions") { $0[21] = 65 },
        bytes("HEADER", "text encoding") { $0[59] = 3 },
        bytes("HEADER", "the header is overwritten") { for index in 0..<100 { $0[index] = 1 } },
        bytes("PAGESIZE", "the pages have 4096 bytes") { $0[16] = 2 },
        bytes("TRANSFER", "CR LF") { $0 = $0.flatMap { $0 == 10 ? [13, 10] : [$0] } },
        bytes("TRANSFER", "Latin-1") {
            $0 = Array(String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })).utf8)
        },
        bytes("TRANSFER", "base64") { $0 = Array(Data($0).base64EncodedString().utf8) },
        bytes("PAGESIZE", "3000") { ($0[16], $0[17]) = (0x0B, 0xB8) },
        bytes("NEWER", "file format 3") { ($0[18], $0[19]) = (3, 3) },
        bytes("NEWER", "schema format 9") { $0[47] = 9 },
        bytes("COMPRESSED", "gzip") { $0 = Array(Framed.gzip($0)) },
        bytes("COMPRESSED", "ZIP") { $0 = [0x50, 0x4B, 3, 4] + $0 },
        bytes("ENCRYPTED", "entropy") { bytes in
            var state: UInt64 = 88_172_645_463_325_252
            bytes = bytes.map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state >> 24)
            }
        },
        bytes("EMPTY", "empty") { $0 = [] },
        bytes("HEADER", "zero bytes") { $0 = [UInt8](repeating: 0, count: $0.count) },
        bytes("HEADER", "overwritten") {
            $0.replaceSubrange(0..<100, with: [UInt8](repeating: 0x41, count: 100))
        },
        bytes("HEADER", "payload fractions") { $0[21] = 9 },
        bytes("OTHER", "write-ahead log") { $0 = [0x37, 0x7F, 0x06, 0x82] + $0 },
        bytes("OTHER", "rollback journal") { $0 = [0xD9, 0xD5, 0x05, 0xF9] + $0 },
        bytes("OTHER", "property list") { $0 = Array("bplist00".utf8) + $0 },
        bytes("OTHER", "begin like") { _ in }.replacedByText,
    ]

    static func bytes(
        _ code: String, _ what: String, _ change: @escaping @Sendable (inout [UInt8]) -> Void
    ) -> PlantedFault {
        PlantedFault(.waypoints, .bytes(change), "FILE-" + code, what)
    }

    private var replacedByText: PlantedFault {
        PlantedFault(kind, .bytes { $0 = Array("Dear support, my waypoints are gone.".utf8) }, code, what)
    }

    /// A store with a log beside it, changed there.
    static let logs: [PlantedFault] = [
        beside("LOG-TORN", "cannot be read") { try Framed.truncate($0.path + "-wal", by: 50) },
        beside("LOG-TORN", "cannot be read") { try Framed.flip($0.path + "-wal", at: 4096 + 24 + 500) },
        beside("LOG-HEADER", "checksum") { try Framed.flip($0.path + "-wal", at: 25) },
        beside("LOG-HEADER", "within its header") {
            try Data([0x37, 0x7F, 0x06]).write(to: URL(fileURLWithPath: $0.path + "-wal"))
        },
        beside("LOG-LOST", "missing -wal") { try FileManager.default.removeItem(atPath: $0.path + "-wal") },
        beside("LOG-ABSENT", "without its -wal") {
            try FileManager.default.removeItem(atPath: $0.path + "-wal")
            try FileManager.default.removeItem(atPath: $0.path + "-shm")
        },
        beside("LOG-INDEX", "another generation") {
            try Framed.flip($0.path + "-shm", at: 33)
            try Framed.flip($0.path + "-shm", at: 81)
        },
        beside("FILE-JOURNAL", "journal of 512 bytes") {
            // A header, and no pages: rolling back leaves the file as it is. One of zeros would be done.
            let pages = try Data(contentsOf: $0).count / 4096
            let header: [UInt8] =
                [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 0, 0, 0, 0, 0]
                + [0, 0, 0, UInt8(pages), 0, 0, 2, 0, 0, 0, 0x10, 0]
            try Data(header + [UInt8](repeating: 0, count: 512 - header.count)).write(
                to: URL(fileURLWithPath: $0.path + "-journal"))
        },
    ]

    static func beside(
        _ code: String, _ what: String, _ change: @escaping @Sendable (URL) throws -> Void
    ) -> PlantedFault {
        PlantedFault(.waypoints, .beside(change), code, what)
    }
}
