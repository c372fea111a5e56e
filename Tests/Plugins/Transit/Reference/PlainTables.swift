import Foundation

/// Reads the tables of a feed in the slowest and most obvious way: whole files, character by character.
///
/// It shares no code with the plugin, so that a mistake there is not repeated here.
enum PlainTables {
    /// The rows of a table as dictionaries; none when there is no such table.
    static func rows(_ text: String?) -> [[String: String]] {
        guard let text else { return [] }
        var lines = records(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
        guard !lines.isEmpty else { return [] }
        let header = lines.removeFirst()
        return lines.filter { $0 != [""] }.map { fields in
            var row: [String: String] = [:]
            for (index, name) in header.enumerated() where index < fields.count { row[name] = fields[index] }
            return row
        }
    }

    private static func records(_ text: String) -> [[String]] {
        var records: [[String]] = []
        var fields: [String] = []
        var field = ""
        var isQuoted = false
        var scalars = Array(text.unicodeScalars)
        scalars.append("\n")
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            if isQuoted {
                if scalar == "\"" {
                    if scalars[index] == "\"" {
                        field.unicodeScalars.append("\"")
                        index += 1
                    } else {
                        isQuoted = false
                    }
                } else {
                    field.unicodeScalars.append(scalar)
                }
                continue
            }
            switch scalar {
            case "\"": isQuoted = true
            case ",":
                fields.append(field.trimmingCharacters(in: .whitespaces))
                field = ""
            case "\r": break
            case "\n":
                fields.append(field.trimmingCharacters(in: .whitespaces))
                field = ""
                records.append(fields)
                fields = []
            default: field.unicodeScalars.append(scalar)
            }
        }
        return records
    }

    /// The tables of an archive, by the system's `unzip`; `nil` where that is not installed.
    static func tables(ofArchive url: URL, names: [String]) throws -> [String: String]? {
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
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            if !data.isEmpty { tables[name] = String(decoding: data, as: UTF8.self) }
        }
        return tables
    }
}
