/// A tar archive (POSIX ustar), from files.
enum PlainTar {
    private static let block = 512

    /// The blocks of some files, without the end.
    static func blocks(_ files: (name: String, bytes: [UInt8])...) -> [UInt8] {
        files.flatMap { file in
            var header = [UInt8](repeating: 0, count: block)
            func put(_ text: String, at offset: Int) {
                for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
            }
            func octal(_ number: Int, digits: Int) -> String {
                let text = String(number, radix: 8)
                return String(repeating: "0", count: digits - text.count) + text
            }
            put(file.name, at: 0)
            put("0000644", at: 100)
            put(octal(file.bytes.count, digits: 11), at: 124)
            put(octal(0, digits: 11), at: 136)
            // The checksum counts itself as blanks.
            put("        ", at: 148)
            put("0", at: 156)
            put("ustar", at: 257)
            put("00", at: 263)
            put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6), at: 148)
            header[154] = 0
            let rest = (block - file.bytes.count % block) % block
            return header + file.bytes + [UInt8](repeating: 0, count: rest)
        }
    }

    /// The end of an archive: two blocks of zeros. One alone does not end it.
    static let end = [UInt8](repeating: 0, count: 2 * block)
}
