/// What bytes are that are not a message in the binary form: pages of errors, and other forms in which messages are
/// offered.
enum MessageLikeness: Equatable {
    case empty, page, json, text, archive

    /// The kind of what begins with some bytes; `nil` if it is none of these.
    init?(_ bytes: [UInt8]) {
        let head = bytes.prefix(1024).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        guard let first = head.first else {
            self = .empty
            return
        }
        let start = String(decoding: head.prefix(256), as: UTF8.self).lowercased()
        switch first {
        case UInt8(ascii: "<"): self = .page
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
        case UInt8(ascii: "P") where head.starts(with: [0x50, 0x4B, 0x03, 0x04]): self = .archive
        case _ where start.hasPrefix("header") || start.hasPrefix("entity"): self = .text
        default: return nil
        }
    }

    /// What it is, in words.
    var words: String {
        switch self {
        case .empty: "empty"
        case .page: "a page of HTML or XML, not a GTFS-realtime message"
        case .json: "JSON, not the binary form (protobuf) of GTFS-realtime"
        case .text: "the text form of a message, not the binary form (protobuf) of GTFS-realtime"
        case .archive: "a ZIP archive, not a GTFS-realtime message"
        }
    }

    /// The way on.
    var fix: String {
        switch self {
        case .empty: "fetch it again"
        case .page: "read the page: it may tell of a missing key, a limit or another address"
        case .json, .text: "fetch the binary form, often the same address with .pb or without a format"
        case .archive:
            "unpack it, and give the folder of its .pb files, or import a timetable with `feed import`"
        }
    }
}
