import PluginKit

extension Session {
    /// Describes the word at a UTF-8 byte of an entry: a command's or function's help, a variable's value, an error's
    /// explanation; `nil` where it is none of these.
    public func inspection(of entry: String, at position: Int) -> String? {
        let site = InspectedWord(entry, at: position)
        if site.word.hasPrefix("$") {
            let name = String(site.word.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" })
            guard let value = variable(name) else { return nil }
            let text = ValueText.inline(
                value, timeZone: presentEnvironment.timeZone, units: presentEnvironment.units)
            return TerminalText.lines("\(name): \(value.kindName)\n\(text)")
        }
        let pages = HelpPages(registry: registry, width: presentEnvironment.width)
        if site.word.hasPrefix("E-"), let kind = errorKinds.first(where: { $0.code == site.word }) {
            return "\(kind.code): \(kind.title)\n\n"
                + TextWrap.wrapped(kind.explanation, to: presentEnvironment.width)
        }
        if site.isCalled, let page = FunctionPages.page(site.word) { return page }
        for count in [2, 1] where site.commandWords.count >= count {
            let name = site.commandWords.prefix(count).joined(separator: " ")
            if let entry = registry.meant(name) { return pages.page(of: entry.command.spec) }
        }
        return FunctionPages.page(site.word)
    }
}

/// The word at an offset of an entry, and the words of the command that it belongs to.
struct InspectedWord {
    let word: String
    /// The first words of the pipeline's part.
    let commandWords: [String]
    /// Whether a bracket follows the word.
    let isCalled: Bool

    init(_ entry: String, at position: Int) {
        let bytes = Array(entry.utf8)
        let offset = max(0, min(position, bytes.count))
        func isWordByte(_ byte: UInt8) -> Bool {
            byte >= 0x80 || NumberScanner.isWordByte(byte) || byte == UInt8(ascii: "$")
                || byte == UInt8(ascii: "-")
        }
        var (start, end) = (offset, offset)
        while start > 0, isWordByte(bytes[start - 1]) { start -= 1 }
        while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
        word = String(decoding: bytes[start..<end], as: UTF8.self)
        isCalled = end < bytes.count && bytes[end] == UInt8(ascii: "(")
        // Quoted separators are not recognised; an inspection may then find less.
        let partStart = bytes[..<start].lastIndex { "|;\n({=".utf8.contains($0) }.map { $0 + 1 } ?? 0
        commandWords = String(decoding: bytes[partStart..<end], as: UTF8.self)
            .split { $0 == " " || $0 == "\t" }.map(String.init)
    }
}
