import Foundation
import PluginKit

/// The regions available to a command, by name: those of the workspace, or the foreign one in use.
struct RegionDatabases: Sendable {
    private let location: StoreLocation

    init(_ location: StoreLocation) { self.location = location }

    /// Whether they are the workspace's own.
    var isOwn: Bool { location.isOwn }

    /// The names of the regions, in order.
    var names: [String] {
        isOwn ? RegionFolder(at: location.url).names : [RegionFiles(database: location.url).name]
    }

    /// The database of a region; throws `E-REGION-NONE` with the nearest name.
    func database(_ name: String) throws -> URL {
        if isOwn { return try RegionFolder(at: location.url).database(name) }
        guard names.contains(name) else {
            throw RegionErrors.unknown(
                "the store in use is not the region \(name)",
                suggestion: Suggestion.nearest(to: name, in: names))
        }
        return location.url
    }
}
