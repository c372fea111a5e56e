import Foundation

extension FileManager {
    /// Deletes one of our temporary files or folders. Failures are ignored: they do not affect any result.
    package func discard(_ url: URL) { try? removeItem(at: url) }
}
