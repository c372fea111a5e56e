import Foundation
import PluginKit

/// Reads and writes JSON files by their types.
enum JSONFile {
    /// The file of a value: keys in order, one line, a line end.
    static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    /// The value of a file. Throws `E-IMPORT-FORMAT` with what is wrong and where, or `E-IMPORT-TOOLARGE`.
    static func value<T: Decodable>(_ type: T.Type, of url: URL) throws -> T {
        let name = url.lastPathComponent
        var info = stat()
        guard stat(url.path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(name) is no regular file", at: .parameter("file"))
        }
        guard info.st_size <= ExportSettings.longestJSON else {
            throw ExportErrors.tooLarge(
                "\(name) has \(info.st_size) bytes, more than \(ExportSettings.longestJSON)",
                at: .parameter("file"))
        }
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw CommonErrors.fileAccess("\(name) cannot be read", at: .parameter("file"))
        }
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw failure(error, data, name)
        }
    }

    private static func failure(_ error: DecodingError, _ data: Data, _ name: String) -> RutterError {
        let file = RutterError.Place.file(path: name, line: nil, column: nil)
        switch error {
        case .keyNotFound(let key, let context):
            return ExportErrors.format("\(at(context))there is no `\(key.stringValue)`", at: file)
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return ExportErrors.format("\(at(context))\(plain(context.debugDescription))", at: file)
        case .dataCorrupted(let context):
            if context.codingPath.isEmpty, let fault = syntaxFault(data, name) { return fault }
            return ExportErrors.format("\(at(context))\(plain(context.debugDescription))", at: file)
        @unknown default: return ExportErrors.format("\(error)", at: file)
        }
    }

    /// What is wrong with text that is no JSON. The decoder does not tell the place; the other reader of Foundation
    /// tells how many characters it came.
    private static func syntaxFault(_ data: Data, _ name: String) -> RutterError? {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
            return nil
        } catch {
            let words =
                ((error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String) ?? "this is no JSON"
            var before = data.count
            if let found = words.range(of: "around character ") {
                before = Int(words[found.upperBound...].prefix { ("0"..."9").contains($0) }) ?? before
            }
            let lines = data.prefix(before).split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            return ExportErrors.format(
                plain(words),
                at: .file(path: name, line: max(1, lines.count), column: (lines.last?.count ?? 0) + 1))
        }
    }

    /// `features[3].geometry: `
    private static func at(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.reduce("") { path, key in
            if let index = key.intValue { return path + "[\(index)]" }
            return path.isEmpty ? key.stringValue : path + "." + key.stringValue
        }
        return path.isEmpty ? "" : path + ": "
    }

    private static func plain(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(200)
        let bare = line.hasSuffix(".") ? line.dropLast() : line
        return bare.prefix(1).lowercased() + bare.dropFirst()
    }
}

extension Double {
    /// The number with at most so many decimals.
    func rounded(decimals: Int) -> Double {
        let scale = decimals == 7 ? 1e7 : (0..<decimals).reduce(1.0) { power, _ in power * 10 }
        let value = (self * scale).rounded() / scale
        return value == 0 ? 0 : value
    }
}
