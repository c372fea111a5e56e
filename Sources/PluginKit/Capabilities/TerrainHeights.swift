import Geodesy

/// Knows the height of the ground from a terrain model, such as the elevation tiles of a region.
public protocol TerrainHeights: Capability {
    /// The heights at places; `nil` where it knows none of them.
    func heights(at places: [Coordinate], context: Context) throws -> TerrainAnswer?
}

/// Heights from a terrain model, with whose data they are.
public struct TerrainAnswer: Sendable, Hashable {
    /// Metres above the sea, in the order of the places; `nil` where unknown.
    public let heights: [Double?]
    /// Which model it is and whose data, such as `region valley, SRTM (NASA)`.
    public let origin: String

    /// An answer.
    public init(heights: [Double?], origin: String) {
        self.heights = heights
        self.origin = origin
    }
}
