import Foundation

/// Writes files atomically: a reader sees the old file or the new one, and a failure leaves no temporary file.
public enum OutputFile {
    /// Writes bytes to a new file, or over an existing one when forced. Throws `E-FILE-EXISTS` or `E-FILE-ACCESS`.
    public static func write(
        _ data: Data, to url: URL, force: Bool, parameter: String = "out"
    ) throws(RutterError) {
        let file = try StagedFile(url, force: force, parameter: parameter)
        try data.bytes.withUnsafeBytes { bytes throws(RutterError) in try file.write(bytes) }
        try file.finish()
    }
}
