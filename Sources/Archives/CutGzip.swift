import Core

/// What stands before the end or the damage of a file that is compressed by gzip (RFC 1952).
///
/// libarchive keeps nothing of a piece in which a fault is, and small files are one piece.
enum CutGzip {
    private static let magic: [UInt8] = [0x1F, 0x8B]

    /// The bytes before the fault, no more than `limit`; `nil` if there are none, or the file is no gzip.
    static func bytes(of source: SourceBytes, limit: Int) -> [UInt8]? {
        guard let input = try? source.all(), input.starts(with: magic),
            let inflation = Inflation(input, .gzip, limit: limit), !inflation.bytes.isEmpty
        else { return nil }
        return Array(inflation.bytes.prefix(limit))
    }
}
