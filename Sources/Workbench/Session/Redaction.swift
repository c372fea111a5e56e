/// Removes passwords from output and logs.
enum Redaction {
    /// An entry whose addresses (`scheme://user:password@host`) have stars in place of the password, byte for
    /// byte, so that offsets in the entry are unchanged.
    static func withoutPasswords(_ entry: String) -> String {
        guard entry.contains("://"), entry.contains("@") else { return entry }
        var bytes = Array(entry.utf8)
        let (colon, slash, at) = (UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "@"))
        let ends = Set(" \t\n'\";|".utf8)
        var index = 0
        while index + 2 < bytes.count {
            defer { index += 1 }
            guard bytes[index] == colon, bytes[index + 1] == slash, bytes[index + 2] == slash else {
                continue
            }
            let start = index + 3
            let end = bytes[start...].firstIndex { ends.contains($0) } ?? bytes.endIndex
            guard let host = bytes[start..<end].lastIndex(of: at),
                let separator = bytes[start..<host].firstIndex(of: colon)
            else { continue }
            for position in (separator + 1)..<host { bytes[position] = UInt8(ascii: "*") }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
