import Foundation
import Geodesy

/// The results of an independent program (scan-osm.py) for an OSM file.
struct OSMScan {
    private let file: URL

    init(_ file: URL) { self.file = file }

    struct Name {
        var id: String
        var coordinate: Coordinate
        var name: String
        var others: [String]
    }

    struct Address {
        var street: String
        var number: String
        var postcode: String
        var city: String
        var coordinate: Coordinate
    }

    struct Reverse {
        var coordinate: Coordinate
        /// The nearest street within 500 m; empty where there is none.
        var street: String
        /// All streets as near, within 5 m.
        var streets: [String]
        /// Empty where no outline contains it.
        var town: String
    }

    func names() throws -> [Name] {
        try rows("names").map { row in
            Name(
                id: row[0] + row[1], coordinate: coordinate(row[2], row[3]), name: row[4],
                others: row[5].split(separator: "\u{1F}").map(String.init))
        }
    }

    func addresses() throws -> [Address] {
        try rows("addresses").map { row in
            Address(
                street: row[0], number: row[1], postcode: row[2], city: row[3],
                coordinate: coordinate(row[4], row[5]))
        }
    }

    func reverse(count: Int) throws -> [Reverse] {
        try rows("reverse", "\(count)", "7").map { row in
            Reverse(
                coordinate: coordinate(row[0], row[1]), street: row[2],
                streets: row[4].split(separator: "\u{1F}").map(String.init), town: row[5])
        }
    }

    private func coordinate(_ latitude: String, _ longitude: String) -> Coordinate {
        Coordinate(latitude: Double(latitude) ?? .nan, longitude: Double(longitude) ?? .nan)
    }

    private func rows(_ command: String, _ arguments: String...) throws -> [[String]] {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "scan-osm.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script.path, command, file.path] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
