import Foundation

/// A row of a table.
struct PlainRow {
    fileprivate let columns: [String: Int]
    fileprivate let fields: [String]

    /// A field by the name of its column; `nil` where the row does not have it.
    subscript(name: String) -> String? {
        guard let index = columns[name], index < fields.count else { return nil }
        return fields[index]
    }
}

/// Reads the tables of a feed in the simplest way: whole files, byte by byte.
///
/// It shares no code with the plugin, so that errors are independent.
public enum PlainTables {
    /// The tables that departures follow from.
    public static let names = [
        "agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt",
        "calendar_dates.txt", "frequencies.txt",
    ]

    /// The rows of a table; none when there is no such table.
    static func rows(_ text: String?) -> [PlainRow] {
        guard let text else { return [] }
        var lines = records(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
        guard !lines.isEmpty else { return [] }
        let header = lines.removeFirst()
        let columns = Dictionary(
            header.enumerated().map { ($1, $0) }, uniquingKeysWith: { _, last in last })
        return lines.filter { $0 != [""] }.map { PlainRow(columns: columns, fields: $0) }
    }

    private static func records(_ text: String) -> [[String]] {
        var records: [[String]] = []
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        let bytes = Array(text.utf8) + [UInt8(ascii: "\n")]
        func trimmed() -> String {
            let start =
                field.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? field.endIndex
            let end = field.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? -1
            return start <= end ? String(decoding: field[start...end], as: UTF8.self) : ""
        }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isQuoted {
                if byte == UInt8(ascii: "\"") {
                    if bytes[index] == UInt8(ascii: "\"") {
                        field.append(byte)
                        index += 1
                    } else {
                        isQuoted = false
                    }
                } else {
                    field.append(byte)
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isQuoted = true
            case UInt8(ascii: ","):
                fields.append(trimmed())
                field = []
            case UInt8(ascii: "\r"): break
            case UInt8(ascii: "\n"):
                fields.append(trimmed())
                field = []
                records.append(fields)
                fields = []
            default: field.append(byte)
            }
        }
        return records
    }

    /// The tables of an archive, by the system's `unzip`, each up to the last line that ends within a
    /// number of bytes; `nil` if `unzip` is not installed.
    public static func tables(ofArchive url: URL, longest: Int = .max) throws -> [String: String]? {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unzip") else { return nil }
        var tables: [String: String] = [:]
        for name in names {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/unzip")
            process.arguments = ["-p", url.path, name]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            var data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            if data.count > longest, let end = data[..<longest].lastIndex(of: UInt8(ascii: "\n")) {
                data = data[...end]
            }
            if !data.isEmpty { tables[name] = String(decoding: data, as: UTF8.self) }
        }
        return tables
    }
}
