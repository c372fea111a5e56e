import Foundation

/// A map that an editor saved with its changes: objects that were deleted in it are still in the file, and are marked.
///
/// Source: OpenStreetMap wiki, "JOSM file format".
enum EditedMap {
    /// Bytes at the start of a file that name the program.
    private static let head = 512
    private static let marks = ["action='delete'", "action=\"delete\""].map { Data($0.utf8) }
    private static let kinds = ["node", "way", "relation"]
    private static let quotes = Data("'\"".utf8)

    /// The file without its deleted objects, and how many these are; `nil` for a file that marks none.
    static func withoutDeletions(_ url: URL) -> (data: Data, deleted: Int)? {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        let start = (try? file.read(upToCount: head)) ?? Data()
        try? file.close()
        guard start.range(of: Data("<osm".utf8)) != nil, start.range(of: Data("JOSM".utf8)) != nil,
            let data = try? Data(contentsOf: url, options: .alwaysMapped)
        else { return nil }
        return withoutDeletions(data)
    }

    /// The bytes without the marked objects; `nil` without any.
    static func withoutDeletions(_ data: Data) -> (data: Data, deleted: Int)? {
        var kept = Data()
        var deleted = 0
        var from = data.startIndex
        var search = from
        // Each spelling is searched again only behind its last place: most files have one of them alone.
        var next = marks.map { data.range(of: $0) }
        while let mark = next.compactMap({ $0 }).min(by: { $0.lowerBound < $1.lowerBound }) {
            defer {
                for index in next.indices {
                    guard let place = next[index], place.lowerBound < search else { continue }
                    next[index] = data.range(of: marks[index], in: search..<data.endIndex)
                }
            }
            search = mark.upperBound
            guard let object = object(around: mark, in: data, from: from) else { continue }
            kept += data[from..<object.lowerBound]
            from = object.upperBound
            search = from
            deleted += 1
        }
        return deleted > 0 ? (kept + data[from...], deleted) : nil
    }

    /// The element of the map whose start tag has the mark.
    private static func object(around mark: Range<Int>, in data: Data, from: Int) -> Range<Int>? {
        guard let start = data[from..<mark.lowerBound].lastIndex(of: UInt8(ascii: "<")),
            let kind = kinds.first(where: { data[(start + 1)...].starts(with: Data("\($0) ".utf8)) }),
            let end = tagEnd(in: data, from: mark.upperBound)
        else { return nil }
        if data[end - 1] == UInt8(ascii: "/") { return start..<(end + 1) }
        return data.range(of: Data("</\(kind)>".utf8), in: end..<data.endIndex).map { start..<$0.upperBound }
    }

    /// The file without its `<bounds>` where these are no numbers, which the reader refuses; `nil` for all others.
    static func withoutUnreadableBounds(_ url: URL) -> Data? {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        let start = (try? file.read(upToCount: RoutingSettings.boundsHead)) ?? Data()
        try? file.close()
        guard let place = unreadableBounds(in: start),
            let data = try? Data(contentsOf: url, options: .alwaysMapped)
        else { return nil }
        // What is mapped cannot be changed in place.
        var kept = Data(data[..<place.lowerBound])
        kept.append(data[place.upperBound...])
        return kept
    }

    /// Where the bounds stand, if a number of theirs is none.
    static func unreadableBounds(in data: Data) -> Range<Int>? {
        guard let start = data.range(of: Data("<bounds".utf8)),
            let end = tagEnd(in: data, from: start.upperBound)
        else { return nil }
        let attributes = String(decoding: data[start.upperBound..<end], as: UTF8.self)
        let numbers = attributes.matches(of: /(?:min|max)(?:lat|lon)\s*=\s*["']([^"']*)["']/)
        guard numbers.contains(where: { Double($0.output.1).map { !$0.isFinite } ?? true }) else {
            return nil
        }
        if data[end - 1] == UInt8(ascii: "/") { return start.lowerBound..<(end + 1) }
        return data.range(of: Data("</bounds>".utf8), in: end..<data.endIndex)
            .map { start.lowerBound..<$0.upperBound }
    }

    /// The `>` that ends a start tag, outside of quotes.
    private static func tagEnd(in data: Data, from: Int) -> Int? {
        var quote: UInt8?
        for index in from..<data.endIndex {
            let byte = data[index]
            if byte == quote {
                quote = nil
            } else if quote == nil, quotes.contains(byte) {
                quote = byte
            } else if quote == nil, byte == UInt8(ascii: ">") {
                return index
            }
        }
        return nil
    }
}
