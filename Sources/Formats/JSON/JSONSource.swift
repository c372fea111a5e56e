import Archives
import Core

/// Reads JSON files.
package enum JSONSource {
    /// Maximum bytes of a JSON file with tracks or waypoints.
    package static let longest = 256 << 20

    /// Bytes that show the encoding.
    private static let headLength = 4096

    /// Throws `E-IMPORT-TOOLARGE` for a file that is too large.
    package static func checkSize(_ source: SourceBytes, limit: Int = longest) throws(RutterError) {
        guard source.size <= limit else {
            throw ImportErrors.tooLarge("\(source.name) has \(source.size) bytes, more than \(limit)")
        }
    }

    /// The result of `body` for a file. Throws `E-IMPORT-FORMAT` or `E-IMPORT-VALUE` with problem and
    /// location, `E-IMPORT-TOOLARGE`, or the error of `check`.
    package static func read<T>(
        _ source: SourceBytes, limit: Int = longest, check: () throws -> Void,
        isSequence: Bool = false, repairs: ((JSONRepairs) -> Void)? = nil, _ body: (JSONTree) throws -> T
    ) throws -> T {
        try checkSize(source, limit: limit)
        var bytes = try source.all()
        let encoding = DataEncoding(head: Array(bytes.prefix(headLength)), isWhole: bytes.count <= headLength)
        var note: String?
        if encoding.isWide, let converted = encoding.converted(bytes) {
            (bytes, note) = (converted, encoding.note)
        }
        do {
            return try JSONTree.read(
                bytes, check: check, isSequence: isSequence,
                repairs: repairs.map { tell in
                    {
                        var all = $0
                        all.encoding = note
                        tell(all)
                    }
                }, body)
        } catch let fault as JSONFault {
            let kind =
                switch fault.kind {
                case .value: ImportErrors.value
                case .size: ImportErrors.tooLarge
                default: ImportErrors.format
                }
            throw fault.error(kind, file: source.name)
        }
    }
}
