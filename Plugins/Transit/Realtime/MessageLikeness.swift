/// What bytes are that are not a message in the binary form: pages of errors, other forms in which messages are offered, and other
/// formats.
enum MessageLikeness: Equatable {
    case empty, page, json, text, archive
    case other(TransitFormat)

    /// The kind of what begins with some bytes; `nil` if it is none of these.
    init?(_ bytes: [UInt8]) {
        let head = bytes.prefix(TransitFormat.looked).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        guard let first = head.first else {
            self = .empty
            return
        }
        if let format = TransitFormat(bytes), ![.realtime, .page, .gzip].contains(format) {
            self = .other(format)
            return
        }
        switch first {
        case UInt8(ascii: "<"): self = .page
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
        case UInt8(ascii: "P") where head.starts(with: [0x50, 0x4B, 0x03, 0x04]): self = .archive
        case _ where Self.isText(String(decoding: head, as: UTF8.self).lowercased()): self = .text
        default: return nil
        }
    }

    /// Whether a text begins with a field of a message, behind comments.
    private static func isText(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let line = lines.first(where: { !$0.drop(while: \.isWhitespace).hasPrefix("#") }) else {
            return false
        }
        let words = line.drop(while: \.isWhitespace)
        guard let name = ["header", "entity"].first(where: words.hasPrefix) else { return false }
        let next = words.dropFirst(name.count).first { !$0.isWhitespace }
        return next.map { ["{", ":", "<"].contains($0) } ?? true
    }

    /// Whether JSON begins as a message does, whether or not the rest can be read.
    static func isOfMessage(_ bytes: [UInt8]) -> Bool {
        let head = MessageType.folded(String(decoding: bytes.prefix(TransitFormat.looked), as: UTF8.self))
        func has(_ name: String) -> Bool { head.contains("\"\(name)\"") }
        return has("gtfsrealtimeversion")
            || has("entity") && ["tripupdate", "vehicle", "alert"].contains(where: has)
    }

    /// What it is, in words.
    var words: String {
        switch self {
        case .empty: "empty"
        case .page: "a page of HTML or XML, not a GTFS-realtime message"
        case .json: "JSON without the header or the entities of a GTFS-realtime message"
        case .text: "a text that is not the text form of a GTFS-realtime message"
        case .archive: "a ZIP archive, not a GTFS-realtime message"
        case .other(let format): format.words
        }
    }

    /// The way on.
    var fix: String {
        switch self {
        case .empty: "fetch it again"
        case .page: "read the page: it may tell of a missing key, a limit or another address"
        case .json, .text: "check that it is a whole message, or fetch its binary form"
        case .archive:
            "unpack it, and give the folder of its messages, or import a timetable with `feed import`"
        case .other(.siri): "ask the same service for GTFS-realtime, which most offer too"
        case .other: "give a GTFS-realtime message about trips, vehicles or alerts"
        }
    }
}
