import Foundation

/// A link whose end is missing, as to a volume that is not mounted: nothing is known of what it stands for.
package enum DanglingLink {
    /// Where such a link leads; `nil` of a file that is there, and of none.
    package static func target(of path: String) -> String? {
        if FileManager.default.fileExists(atPath: path) { return nil }
        // Only a link has a destination.
        return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }
}
