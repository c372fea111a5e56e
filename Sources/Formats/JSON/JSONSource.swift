import Archives
import Core

/// Reads JSON files.
package enum JSONSource {
    /// Maximum bytes of a JSON file with tracks or waypoints.
    package static let longest = 256 << 20

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
        do {
            return try JSONTree.read(
                source.all(), check: check, isSequence: isSequence, repairs: repairs, body)
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
