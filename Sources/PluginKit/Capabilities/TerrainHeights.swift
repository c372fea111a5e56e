import Foundation
import Geodesy

/// Provides ground elevations from a terrain model, such as the elevation tiles of a region.
public protocol TerrainHeights: Capability {
    /// The elevations at coordinates; `nil` if none is known.
    func heights(at places: [Coordinate], context: Context) throws -> TerrainAnswer?
    /// The same by a file or a folder of elevation tiles, without any map; `nil` for one that cannot read such files.
    func heights(at places: [Coordinate], file: URL, context: Context) throws -> TerrainAnswer?
}

extension TerrainHeights {
    /// Reads no files.
    public func heights(at places: [Coordinate], file: URL, context: Context) throws -> TerrainAnswer? { nil }
}

/// Elevations from a terrain model, with attribution.
public struct TerrainAnswer: Sendable, Hashable {
    /// Metres above the sea, in the order of the coordinates; `nil` if unknown.
    public let heights: [Double?]
    /// The model and its attribution, such as `region valley, SRTM (NASA)`.
    public let origin: String

    /// Creates a result.
    public init(heights: [Double?], origin: String) {
        self.heights = heights
        self.origin = origin
    }
}
