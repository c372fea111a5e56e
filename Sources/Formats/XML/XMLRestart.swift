import Archives
import Core

/// A delegate that can go on behind a fault, at the next of some elements.
protocol XMLResuming: XMLDelegate {
    /// The local names of the elements at which it can go on.
    var restarts: [String] { get }
    /// How many of them began since the last fault.
    var begun: Int { get }
    /// Whether the element that began last must be read again.
    var isRepeating: Bool { get }
    /// Leaves out what is open and unfinished, and closes what such an element cannot stand in. Returns the local names of the elements
    /// that stay open around it, without the outermost; `nil` if nothing can follow.
    func resume(before element: String) throws -> [String]?
}

extension XMLResuming {
    /// Never.
    var isRepeating: Bool { false }
}

/// A stretch of a file in which nothing was understood.
struct XMLGap: Sendable {
    /// The line of the fault, and that of the element at which reading went on.
    let lines: ClosedRange<Int>
    /// What is wrong.
    let reason: String

    /// The stretch in words.
    var words: String {
        lines.count == 1
            ? "a part of line \(lines.lowerBound) could not be read (\(reason))"
            : "lines \(lines.lowerBound) to \(lines.upperBound) could not be read in part (\(reason))"
    }
}

/// Where the parser of a file begins, perhaps behind a fault.
struct XMLRestart {
    /// Maximum number of faults of a file behind which reading goes on.
    static let most = 1000
    /// Bytes that are given to a parser that begins behind a fault at first.
    static let firstPiece = 1024
    /// Bytes that are searched at once.
    private static let window = 1 << 14
    /// Bytes in which the outermost element must begin and end.
    private static let longestHead = 1 << 16

    /// Bytes from the beginning of the file.
    var offset: Int
    var line = 1
    var column = 1
    /// The element there; `nil` at the beginning of the file.
    var element: String?
    /// The elements around it, the outermost first, as start tags in one line.
    var opening: [UInt8] = []
    /// Their number.
    var count = 0

    init(offset: Int) { self.offset = offset }

    /// The elements around, with the beginning of the file.
    func inside(_ names: [String], of head: Head) -> XMLRestart {
        var restart = self
        restart.opening = head.bytes + names.flatMap { Array("<\(head.prefix)\($0)>".utf8) }
        restart.count = names.count + 1
        return restart
    }

    /// The next of some elements behind a fault, or with `isRepeating` the one behind those that began; `nil` if there is none. The
    /// lines and columns are those of the file.
    func next(
        of names: [String], in source: SourceBytes, _ head: Head, behind fault: (line: Int, column: Int),
        begun: Int, isRepeating: Bool = false, check: () throws -> Void
    ) throws -> XMLRestart? {
        let tags = names.map { (name: $0, bytes: Array("<\(head.prefix)\($0)".utf8)) }
        let locals = names.map { Array($0.lowercased().utf8.split(separator: UInt8(ascii: ":")).last ?? []) }
        let longest = (tags.map(\.bytes.count).max() ?? 0) + 1
        var place = self
        var met = 0
        while true {
            try check()
            let bytes = try source.bytes(at: place.offset, count: Self.window)
            guard bytes.count > longest else { return nil }
            for index in 0..<(bytes.count - longest) {
                if bytes[index] == UInt8(ascii: "<") {
                    let tag = tags.first { Self.begins(bytes[index...], with: $0.bytes) }
                    // The delegate counts those with another prefix too, which are no places to go on.
                    if tag != nil || Self.isNamed(bytes[index...], in: locals) { met += 1 }
                    if let tag {
                        // Where this parser began, another would come to the same.
                        let isRepeated = isRepeating && met == begun + 1 && place.offset > offset
                        let isBehind = (place.line, place.column) >= fault && place.offset > offset
                        if isRepeated || isBehind && !isRepeating && met > begun {
                            place.element = tag.name
                            return place
                        }
                    }
                }
                place.step(over: bytes[index])
            }
        }
    }

    /// Counts a byte; columns are characters, as the parser counts them.
    private mutating func step(over byte: UInt8) {
        offset += 1
        if byte == UInt8(ascii: "\n") {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }

    /// Bytes of a name with its prefix.
    private static let longestName = 32

    /// Whether a start tag of a local name is here, whatever its prefix.
    private static func isNamed(_ bytes: ArraySlice<UInt8>, in locals: [[UInt8]]) -> Bool {
        let name = bytes.dropFirst().prefix(longestName).prefix {
            $0 > 32 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return false }
        return locals.contains { name[(colon + 1)...].elementsEqual($0, by: { small($0) == $1 }) }
    }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Whether a start tag of a name is here, in letters of either case, as delegates read it.
    private static func begins(_ bytes: ArraySlice<UInt8>, with tag: [UInt8]) -> Bool {
        guard bytes.prefix(tag.count).elementsEqual(tag, by: { small($0) == small($1) }) else { return false }
        let next = bytes[bytes.startIndex + tag.count]
        return next <= 32 || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
    }

    /// The beginning of a file with the start tag of its outermost element.
    struct Head {
        /// The declaration and the start tag, in one line.
        let bytes: [UInt8]
        /// The prefix of the outermost element with its colon; empty if it has none.
        let prefix: String

        /// The beginning of a file after `offset` bytes of blanks; `nil` if the outermost element does not end in it.
        init?(_ source: SourceBytes, at offset: Int) throws {
            let head = try source.bytes(at: offset, count: XMLRestart.longestHead)
            let isDeclared = head.starts(with: "<?xml".utf8)
            let declaration = isDeclared ? head.prefix(while: { $0 != UInt8(ascii: ">") }).count + 1 : 0
            guard let start = Self.root(head, from: min(declaration, head.count)) else { return nil }
            var quote: UInt8?
            guard
                let end = head[start...].firstIndex(where: { byte in
                    if byte == quote {
                        quote = nil
                    } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                        quote = byte
                    }
                    return quote == nil && byte == UInt8(ascii: ">")
                })
            else { return nil }
            let tag = (head[..<min(declaration, head.count)] + head[start...end])
            bytes = tag.map { $0 < 32 ? 32 : $0 }
            let name = head[(start + 1)...end].prefix { $0 > 32 && $0 != UInt8(ascii: ">") }
            prefix =
                name.lastIndex(of: UInt8(ascii: ":"))
                .map { String(decoding: name[...$0], as: UTF8.self) } ?? ""
        }

        /// The index of the outermost start tag.
        private static func root(_ head: [UInt8], from first: Int) -> Int? {
            var index = first
            while let start = head[index...].firstIndex(of: UInt8(ascii: "<")), start + 1 < head.count {
                guard head[start + 1] == UInt8(ascii: "!") || head[start + 1] == UInt8(ascii: "?") else {
                    return start
                }
                let isComment = head[start...].starts(with: "<!--".utf8)
                let ending = Array((isComment ? "-->" : ">").utf8)
                guard let end = head[start...].firstRange(of: ending) else { return nil }
                index = end.upperBound
            }
            return nil
        }
    }
}
