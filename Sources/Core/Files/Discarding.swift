import Foundation

extension FileManager {
    /// Deletes a temporary file or folder of ours. One that is not there, or cannot be deleted, changes no result.
    package func discard(_ url: URL) { try? removeItem(at: url) }
}
