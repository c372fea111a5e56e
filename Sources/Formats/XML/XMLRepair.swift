import Core

/// Mends single characters that make a file no XML, as programs write them that paste texts into a template: each is named with its
/// line. Markup that does not fit stays for the parser to find.
package final class XMLRepair {
    /// A kind of repair.
    private enum Kind: Int, CaseIterable {
        case ampersand, bracket, section, comment, control, entity, encoding

        var words: String {
            switch self {
            case .ampersand: "`&` that begins no entity, read as the character"
            case .bracket: "`<` that begins no element, read as the character"
            case .section: "`]]>` outside of a section that it ends, read as the characters"
            case .comment: "`--` within comments, which XML does not allow, read as `-`"
            case .control: "control characters, which XML does not allow, left out"
            case .entity:
                "entities of web pages, which XML does not know, read as the characters that they are there"
            case .encoding: "bytes that are no UTF-8, read as Windows-1252"
            }
        }
    }

    /// Where in the markup a byte is.
    private enum Place { case content, tag, quoted, comment, instruction, characters }

    /// What is known of the encoding.
    private enum Encoding {
        /// UTF-8, by the declaration or for lack of one.
        case unicode
        /// One byte for each character, of which the first half is ASCII.
        case bytes
        /// Anything else: nothing is changed.
        case foreign
    }

    private var place = Place.content
    private var quote: UInt8 = 0
    private var encoding: Encoding?
    /// The last two bytes, for ends of comments and the like.
    private var last: (UInt8, UInt8) = (0, 0)
    /// Hyphens of a comment that are not passed on yet: what follows says whether they end it.
    private var hyphens = 0
    /// Bytes that are understood only with those that follow.
    private var rest: [UInt8] = []
    private var line = 1
    /// The line in which the markup began that is open.
    private var opened = 1
    /// Markup that was open at the end of the file: no end of its kind lies behind its beginning, so that those that follow have none.
    private var endless: Set<Place> = []
    /// Characters that repairs added to each line.
    private var added: [Int: Int] = [:]
    private var found = [(count: Int, line: Int)](repeating: (0, 0), count: Kind.allCases.count)

    /// Stretches in which nothing was understood, and how many more there are than are listed.
    private var gaps: [XMLGap] = []
    private var furtherGaps = 0

    /// That the declared encoding is another than that of the bytes.
    var contradiction: String?

    package init() {}

    /// The local names of elements at which reading can go on behind a fault: none of their tags is within quotes.
    var restarts: [String] = []

    /// Lines whose added characters are known; those before them lie behind the parser.
    private static let mostLines = 10_000

    /// Where to look behind a fault for the next element, at the earliest: columns count the characters that repairs added, and what
    /// never ends is a fault where it began, not where the file ends.
    func earliest(_ fault: (line: Int, column: Int)) -> (line: Int, column: Int) {
        let isEndless = Self.untagged.contains(place) && opened <= fault.line
        if isEndless { return (opened, 1) }
        return (fault.line, fault.column - (added[fault.line] ?? 0))
    }

    /// Markup that a tag does not end.
    private static let untagged: Set = [Place.comment, .characters, .instruction]

    /// Maximum number of stretches that are listed.
    private static let mostGaps = 5

    /// Whether the file has an encoding in which nothing is changed.
    var isForeign: Bool { encoding == .foreign }

    /// Goes on behind a fault, in content.
    func skip(_ gap: XMLGap, to line: Int) {
        if gaps.count < Self.mostGaps { gaps.append(gap) } else { furtherGaps += 1 }
        self.line = line
        // What was mended behind the fault is read again, or not at all.
        for kind in found.indices where found[kind].line >= gap.lines.lowerBound { found[kind].count = 0 }
        begin()
    }

    /// Begins with another parser: nothing is open.
    func begin() {
        (place, last, hyphens, rest) = (.content, (0, 0), 0, [])
        added = [:]
    }

    /// What could not be read, then the repairs in words, each with its count and the line of the first.
    package var doubts: [String] {
        [contradiction].compactMap(\.self) + gaps.map(\.words)
            + (furtherGaps > 0 ? ["\(furtherGaps) more parts could not be read"] : []) + repairs
    }

    private var repairs: [String] {
        Kind.allCases.filter { found[$0.rawValue].count > 0 }.map { kind in
            let (count, line) = found[kind.rawValue]
            return "\(kind.words): \(count) (\(count == 1 ? "line" : "first in line") \(line))"
        }
    }

    /// Passes a piece of the file on, mended.
    package func pass(
        _ piece: UnsafeRawBufferPointer, isLast: Bool, to parser: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let encoding = encoding ?? Self.encoding(of: piece)
        self.encoding = encoding
        guard encoding != .foreign else { return piece.isEmpty ? () : try parser(piece) }
        defer { if isLast, Self.untagged.contains(place) { endless.insert(place) } }
        guard rest.isEmpty else {
            let whole = rest + piece
            rest = []
            return try whole.withUnsafeBytes { try mend($0, encoding, isLast: isLast, parser) }
        }
        try mend(piece, encoding, isLast: isLast, parser)
    }

    /// Bytes of the longest reference that is looked for, such as `&#x10FFFF;`.
    private static let longestReference = 12
    /// Bytes of `<!--`.
    private static let commentOpening = 4
    /// Bytes of the longest beginning that is looked for: an end tag with a prefix, such as `</gpx:Trackpoint>`.
    private static let longestOpening = 24
    /// The first byte that begins a character of several bytes in UTF-8.
    private static let leastLead: UInt8 = 0xC2
    /// U+FFFE and U+FFFF, which XML does not allow.
    private static let nonCharacters: [[UInt8]] = [[0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF]]

    private func mend(
        _ bytes: UnsafeRawBufferPointer, _ encoding: Encoding, isLast: Bool,
        _ parser: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var out: [UInt8] = []
        var copied = 0
        var index = 0
        var end = bytes.count
        func replace(_ kind: Kind, _ count: Int, by text: [UInt8]) {
            out.append(contentsOf: bytes[copied..<index])
            out.append(contentsOf: text)
            index += count
            copied = index
            note(kind)
            add(text.count - count)
        }
        while index < bytes.count {
            if hyphens == 0 {
                // Most bytes are nothing to any place.
                let start = index
                while index < bytes.count, Self.isPlain(bytes[index]) { index += 1 }
                if index > start {
                    last = (index - start > 1 ? bytes[index - 2] : last.1, bytes[index - 1])
                    continue
                }
            }
            let byte = bytes[index]
            if place == .comment {
                if byte == UInt8(ascii: "-") {
                    out.append(contentsOf: bytes[copied..<index])
                    hyphens += 1
                    index += 1
                    copied = index
                    continue
                }
                if hyphens > 0 {
                    out.append(contentsOf: endHyphens(before: byte))
                    // The byte that ends the comment is passed on with what follows.
                    if place == .content { last = (0, 0) }
                }
            }
            if byte < 0x20 {
                if byte == 0x0A {
                    line += 1
                } else if byte != 0x09, byte != 0x0D {
                    replace(.control, 1, by: [])
                    continue
                }
            } else if byte >= 0x80, encoding == .unicode {
                let length = Self.length(ofCharacterAt: index, in: bytes)
                // The beginning of a character that the end of the piece cuts.
                if length == 0, byte >= Self.leastLead, index + 3 >= bytes.count {
                    end = index
                    break
                }
                if length == 3, Self.nonCharacters.contains(where: bytes[index...].starts) {
                    replace(.control, length, by: [])
                } else if length == 0 {
                    replace(.encoding, 1, by: Array(String(Self.western(byte)).utf8))
                } else {
                    index += length
                }
                last = (0, 0)
                continue
            } else if byte == UInt8(ascii: "&"), place == .content || place == .quoted {
                let reference = Self.reference(bytes[index...].prefix(Self.longestReference))
                if reference == nil, bytes.count - index < Self.longestReference {
                    end = index
                    break
                }
                switch reference ?? .none {
                case .xml(let count): index += count
                case .none: replace(.ampersand, 1, by: Array("&amp;".utf8))
                case .named(let count, let character):
                    replace(.entity, count, by: Array(String(character).utf8))
                case .forbidden(let count): replace(.control, count, by: [])
                }
                last = (0, 0)
                continue
            } else if byte == UInt8(ascii: "<"), place == .content || place == .quoted {
                if !isLast, bytes.count - index < Self.longestOpening {
                    end = index
                    break
                }
                if place == .quoted, isRestart(bytes[(index + 1)...]) {
                    // The quote at the end is missing: the parser finds the fault here instead of in the next item.
                    out.append(contentsOf: bytes[copied..<index])
                    out.append(quote)
                    copied = index
                    add(1)
                } else if place == .quoted || !Self.opens(bytes[(index + 1)...])
                    || endless.contains(Self.opening(bytes[index...]))
                {
                    replace(.bracket, 1, by: Array("&lt;".utf8))
                    last = (0, 0)
                    continue
                }
                (place, opened) = (Self.opening(bytes[index...]), line)
                if place == .comment {
                    // The hyphens of its beginning are none of its text.
                    index += Self.commentOpening
                    last = (0, 0)
                    continue
                }
            } else if place != .content {
                close(byte)
            } else if byte == UInt8(ascii: ">"), last == (UInt8(ascii: "]"), UInt8(ascii: "]")) {
                replace(.section, 1, by: Array("&gt;".utf8))
                last = (0, 0)
                continue
            }
            last = (last.1, byte)
            index += 1
        }
        rest = Array(bytes[end...])
        guard copied > 0 || !out.isEmpty else {
            return end == 0 ? () : try parser(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        }
        out.append(contentsOf: bytes[copied..<max(copied, end)])
        try out.withUnsafeBytes { try parser($0) }
    }

    /// The hyphens of a comment that are passed on before a byte: two end it before `>`, otherwise one is allowed.
    private func endHyphens(before byte: UInt8) -> [UInt8] {
        let isEnd = byte == UInt8(ascii: ">") && hyphens > 1
        let most = isEnd ? 2 : 1
        if hyphens > most { note(.comment) }
        hyphens = 0
        if isEnd { place = .content }
        return Array(repeating: UInt8(ascii: "-"), count: most)
    }

    /// Counts characters that a repair added to the line.
    private func add(_ characters: Int) {
        guard characters > 0 else { return }
        if added.count > Self.mostLines { added = [:] }
        added[line, default: 0] += characters
    }

    private func note(_ kind: Kind) {
        if found[kind.rawValue].count == 0 { found[kind.rawValue].line = line }
        found[kind.rawValue].count += 1
    }

    // MARK: Markup

    /// Whether a byte is a printed character of ASCII that neither begins nor ends markup of any kind.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            UInt8(ascii: "-"), UInt8(ascii: "]"), UInt8(ascii: "?"):
            false
        default: byte >= 0x20 && byte < 0x80
        }
    }

    /// Whether bytes after `<` begin markup.
    private static func opens(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard let first = bytes.first else { return true }
        switch first {
        case UInt8(ascii: "/"), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "_"), UInt8(ascii: ":"):
            return true
        default: return isLetter(first) || first >= 0x80
        }
    }

    /// Whether bytes after `<` are of a tag of an element at which reading can go on.
    private func isRestart(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        let tag = bytes.first == UInt8(ascii: "/") ? bytes.dropFirst() : bytes
        let name = tag.prefix(Self.longestOpening).prefix {
            $0 > 32 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        return restarts.contains { restart in
            let before = name.dropLast(restart.utf8.count)
            return name.suffix(restart.utf8.count).elementsEqual(restart.utf8)
                && (before.isEmpty || before.last == UInt8(ascii: ":"))
        }
    }

    /// Where the bytes behind an opening `<` are.
    private static func opening(_ bytes: Slice<UnsafeRawBufferPointer>) -> Place {
        switch bytes.dropFirst().first {
        case UInt8(ascii: "?"): return .instruction
        case UInt8(ascii: "!"):
            if bytes.starts(with: "<!--".utf8) { return .comment }
            return bytes.starts(with: "<![CDATA[".utf8) ? .characters : .tag
        default: return .tag
        }
    }

    /// Leaves a place at its last byte.
    private func close(_ byte: UInt8) {
        let isEnd = byte == UInt8(ascii: ">")
        switch place {
        case .tag where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
            (place, quote) = (.quoted, byte)
        case .tag where isEnd: place = .content
        case .quoted where byte == quote: place = .tag
        case .characters where isEnd && last == (UInt8(ascii: "]"), UInt8(ascii: "]")): place = .content
        case .instruction where isEnd && last.1 == UInt8(ascii: "?"): place = .content
        default: break
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    // MARK: References

    private enum Reference {
        /// XML knows it.
        case xml(Int)
        /// HTML knows it.
        case named(Int, Unicode.Scalar)
        /// A character that XML does not allow.
        case forbidden(Int)
        case none
    }

    /// What the bytes from `&` on refer to; `nil` if they end before a `;` without contradicting it.
    private static func reference(_ bytes: Slice<UnsafeRawBufferPointer>) -> Reference? {
        let name = bytes.dropFirst().prefix {
            isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "#")
        }
        guard let next = bytes.dropFirst(name.count + 1).first else { return nil }
        guard next == UInt8(ascii: ";"), !name.isEmpty else { return Reference.none }
        let count = name.count + 2
        let text = String(decoding: name, as: UTF8.self)
        if text.hasPrefix("#") {
            let isHexadecimal = text.hasPrefix("#x")
            guard let number = UInt32(text.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
            else {
                return Reference.none
            }
            let isAllowed = Unicode.Scalar(number).map(Markup.isAllowed) ?? false
            return isAllowed ? .xml(count) : .forbidden(count)
        }
        if ["amp", "lt", "gt", "quot", "apos"].contains(text) { return .xml(count) }
        return HTMLEntities.character(text).map { .named(count, $0) } ?? Reference.none
    }

    // MARK: Encodings

    /// The encoding of a file by its first bytes: by a mark, by the zeros of wider characters, or by the declaration.
    private static func encoding(of head: UnsafeRawBufferPointer) -> Encoding {
        let first = Array(head.prefix(4))
        if first.starts(with: [0xFE, 0xFF]) || first.starts(with: [0xFF, 0xFE]) || first.contains(0) {
            return .foreign
        }
        let text = String(decoding: head.prefix(200), as: UTF8.self).lowercased()
        guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>"),
            let start = text[..<end.lowerBound].firstRange(of: "encoding")
        else { return .unicode }
        let name = text[start.upperBound..<end.lowerBound].drop { " =\"'\t".contains($0) }
            .prefix { !" \"'\t".contains($0) }
        if name == "utf-8" || name == "utf8" { return .unicode }
        return ["iso-8859-", "windows-12", "us-ascii"].contains(where: name.hasPrefix) ? .bytes : .foreign
    }

    /// Bytes of the character of UTF-8 at an index; 0 if it is none.
    private static func length(ofCharacterAt index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        UTF8Check.sequenceLength(bytes.assumingMemoryBound(to: UInt8.self), index)
    }

    /// The character of a byte in Windows-1252, which has printed characters where ISO 8859-1 has controls.
    private static func western(_ byte: UInt8) -> Unicode.Scalar {
        let special =
            [
                "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž", "\u{8F}",
                "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
            ] as [Unicode.Scalar]
        return (0x80...0x9F).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}
