import Foundation

/// Removes passwords from entries, output and logs.
public struct Redaction: Sendable {
    /// The entry with stars in place of its passwords, byte for byte, so that offsets in it are unchanged.
    let entry: String
    /// The passwords, as typed and with `%XX` decoded.
    private let secrets: [String]

    /// Finds the passwords of an entry: in addresses (`scheme://user:password@host`), as parameters (`password=…`), up to
    /// the end of the quoted text that they stand in, whatever characters they have, and as keys of encrypted files (`--key …`).
    init(_ entry: String) {
        var bytes = Array(entry.utf8)
        guard bytes.contains(where: { Self.signs.contains($0) }) || entry.contains("--key") else {
            (self.entry, secrets) = (entry, [])
            return
        }
        var secrets: Set<String> = []
        let stretches = Self.addresses(bytes)
        for range in stretches.flatMap({ Self.secrets(bytes, $0) }) + Self.keys(bytes, stretches)
        where !range.isEmpty {
            let secret = String(decoding: bytes[range], as: UTF8.self)
            secrets.formUnion([secret, secret.removingPercentEncoding ?? secret])
            for position in range { bytes[position] = UInt8(ascii: "*") }
        }
        self.entry = secrets.isEmpty ? entry : String(decoding: bytes, as: UTF8.self)
        self.secrets = secrets.filter { $0.utf8.count >= Self.shortest }.sorted { $0.count > $1.count }
    }

    /// An entry without its passwords.
    public static func withoutPasswords(_ entry: String) -> String { Redaction(entry).entry }

    /// Output of the entry without its passwords.
    func without(_ text: String) -> String {
        secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: "•••") }
    }

    /// Shorter passwords are not sought in output: they would be found in words.
    private static let shortest = 4

    /// Without one of these there is no address and no parameter.
    private static let signs: Set = [UInt8(ascii: ":"), UInt8(ascii: "=")]
    private static let quotes: Set = [UInt8(ascii: "'"), UInt8(ascii: "\"")]
    private static let backslash = UInt8(ascii: "\\")
    /// What ends a word outside quotes.
    private static let ends = Set(" \t\n\r'\";|)".utf8)

    /// The stretches that may be addresses: quoted texts, and words outside quotes that have `://` or `=`.
    private static func addresses(_ bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            let start = index
            if quotes.contains(bytes[index]) {
                let quote = bytes[index]
                index += 1
                while index < bytes.count, bytes[index] != quote {
                    index += quote == UInt8(ascii: "\"") && bytes[index] == backslash ? 2 : 1
                }
                index = min(index, bytes.count)
                found.append(start + 1..<max(start + 1, index))
                index += 1
            } else if ends.contains(bytes[index]) {
                index += 1
            } else {
                index = bytes[index...].firstIndex { ends.contains($0) } ?? bytes.count
                found.append(start..<index)
            }
        }
        return found
    }

    /// The passwords in a stretch.
    private static func secrets(_ bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let (colon, slash, at) = (UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "@"))
        for index in range.dropLast(2)
        where bytes[index] == colon && bytes[index + 1] == slash && bytes[index + 2] == slash {
            let rest = index + 3..<range.upperBound
            if let host = bytes[rest].lastIndex(of: at),
                let separator = bytes[rest.lowerBound..<host].firstIndex(of: colon)
            {
                found.append(separator + 1..<host)
            }
        }
        for name in parameters {
            let word = Array((name + "=").utf8)
            for index in range where bytes[index...].prefix(word.count).elementsEqual(word, by: isSameLetter)
            {
                let start = index + word.count
                let end = bytes[start..<max(start, range.upperBound)].firstIndex(of: UInt8(ascii: "&"))
                found.append(start..<(end ?? max(start, range.upperBound)))
            }
        }
        return found
    }

    /// The values of the option `--key`, after a space or an equals sign.
    private static func keys(_ bytes: [UInt8], _ stretches: [Range<Int>]) -> [Range<Int>] {
        let option = Array("--key".utf8)
        let joined = option + [UInt8(ascii: "=")]
        var found: [Range<Int>] = []
        for (index, range) in stretches.enumerated() where bytes[range].starts(with: option) {
            let word = bytes[range]
            if word.elementsEqual(option) || word.elementsEqual(joined) {
                found += stretches.dropFirst(index + 1).prefix(1)
            } else if word.starts(with: joined) {
                found.append(range.lowerBound + joined.count..<range.upperBound)
            }
        }
        return found
    }

    private static let parameters = ["password", "passwd", "secret", "token"]

    private static func isSameLetter(_ byte: UInt8, _ letter: UInt8) -> Bool {
        byte == letter || byte | 0x20 == letter && byte >= UInt8(ascii: "A")
    }
}
