import Pictures

/// The topographic map of a region of a name.
public protocol RegionMap: MapGround {
    /// The region's name.
    var region: String { get }
    /// Its map.
    var source: MapSource { get }
}
