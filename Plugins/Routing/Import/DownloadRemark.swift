import Foundation

/// What a server wrote into a download that it could not finish, such as `<remark> runtime error: Query timed out …`.
///
/// Source: OpenStreetMap wiki, "Overpass API".
enum DownloadRemark {
    /// Bytes at the end of a file that are searched.
    private static let searched: UInt64 = 4096

    /// The notice of a file of XML with such a remark at its end.
    static func notice(_ url: URL) -> String? {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? file.close() }
        guard let size = try? file.seekToEnd(), size > 0,
            (try? file.seek(toOffset: size > searched ? size - searched : 0)) != nil,
            let data = try? file.readToEnd()
        else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let start = text.range(of: "<remark>"),
            let end = text.range(of: "</remark>", range: start.upperBound..<text.endIndex)
        else { return nil }
        let remark = text[start.upperBound..<end.lowerBound].split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        return "the file may be incomplete; it says: \(remark)"
    }
}
