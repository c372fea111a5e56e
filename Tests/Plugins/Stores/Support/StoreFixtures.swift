import CivilTime
import Foundation
import GRDB
import Geodesy
import Photos
import Pictures
import PluginKit
import PluginTestKit
import TrailStores

@testable import StoresPlugin

/// Sessions and stores for these tests.
enum Fixture {
    static func session(progress: ProgressReporter = ProgressReporter()) throws -> TestSession {
        // A small limit, so that a small track counts as a decompression bomb.
        let checks = FormatChecks.all.map { $0.kind == .hikes ? HikeChecks(largestTrack: 1 << 20) : $0 }
        return try TestSession(plugins: { [StoresPlugin(checks: checks)] }, progress: progress)
    }

    static let time = Timestamp(milliseconds: 1_770_365_730_123)

    /// A JPEG of 16 × 8 grey pixels, made with libjpeg's own encoder.
    static let photo = bytes(
        """
        ffd8ffe000104a46494600010100000100010000ffdb004300100b0c0e0c0a100e0d0e1211101318281a181616183123
        251d283a333d3c3933383740485c4e404457453738506d51575f626768673e4d71797064785c656763ffc0000b080008
        001001011100ffc4001500010100000000000000000000000000000607ffc40014100100000000000000000000000000
        000000ffda0008010100003f0026a83fffd9
        """)

    static func bytes(_ hexadecimal: String) -> Data {
        let digits = hexadecimal.filter { !$0.isWhitespace }.map { $0 }
        return Data(
            stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            })
    }

    static func id(_ number: Int) -> UUID {
        UUID(uuidString: "A0000000-0000-4000-8000-00000000000\(number)") ?? UUID(uuid: UUID_NULL)
    }

    private static let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    /// Three sound waypoints, the second with a photo; in rollback mode, as a copy from a device often is.
    static func waypoints(at url: URL) throws {
        let store = try WaypointStore(url, access: .own)
        for (index, label) in ["Hut", "Spring", "Pass"].enumerated() {
            let place = Coordinate(latitude: 46.5 + Double(index) / 10, longitude: 7.9, altitude: 1200)
            let waypoint = Waypoint(
                id: id(index + 1), coordinate: place, timestamp: time, label: label, rawCategory: "shelter",
                hasPhoto: index == 1, modifiedAt: time)
            let pictures = WaypointPhoto(
                photo: index == 1 ? photo : nil,
                thumbnail: index == 1 ? try Photos.thumbnail(photo).jpeg : nil)
            try store.insert(waypoint, photo: pictures)
        }
        try store.connection.queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = DELETE")
        }
    }

    /// The points of a sound hike: two kilometres to the north, a hundred metres up.
    static let track: [TrackPoint] = (0...100).map { index in
        let part = Double(index)
        return TrackPoint(
            coordinate: Coordinate(latitude: 46.5 + part * 0.00018, longitude: 7.9, altitude: 500 + part),
            time: time.advanced(bySeconds: part * 15))
    }

    /// A sound hike.
    static func hikes(at url: URL, _ points: [TrackPoint] = track) throws {
        let store = try HikeStore(url, access: .own)
        guard let statistics = HikeStatistics(segments: [track]) else { throw CocoaError(.coderInvalidValue) }
        try store.insert(Hike(id: id(1), name: "Walk", statistics: statistics, now: time), track: points)
        try store.connection.queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = DELETE")
        }
    }

    /// Changes a store outside the session.
    static func change(_ url: URL, _ sql: String, _ arguments: StatementArguments = []) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }
}

/// All files of a folder with their content and times, to detect changes.
struct FolderState: Equatable, CustomStringConvertible {
    private var files: [String: String] = [:]

    init(_ folder: URL, without excluded: String? = nil) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != excluded {
            let url = folder.appendingPathComponent(name)
            var info = stat()
            lstat(url.path, &info)
            let isFile = info.st_mode & S_IFMT == S_IFREG
            let content = isFile ? try Data(contentsOf: url).base64EncodedString().hashValue : 0
            files[name] =
                "\(info.st_size) \(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec) \(info.st_ino) \(content)"
        }
        var info = stat()
        stat(folder.path, &info)
        files["."] = "\(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec)"
    }

    var description: String { files.map { "\($0): \($1)" }.sorted().joined(separator: "\n") }
}

extension TestSession {
    /// A file in the session's folder.
    func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// The codes of what `store check` finds.
    func codes(_ name: String) async throws -> [String] {
        try await texts("store check \(name)", "code")
    }

    /// A column of the rows of an entry, as text.
    func texts(_ entry: String, _ column: String) async throws -> [String] {
        guard let rows = try await value(entry).asRows else { return ["no table"] }
        return try rows.collect().map { row in
            switch row.field(column) {
            case .text(let text)?: text
            case .integer(let number)?: String(number)
            case let other: "\(String(describing: other))"
            }
        }
    }
}
