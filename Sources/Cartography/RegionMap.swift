import Pictures

/// The topographic map of a named region.
public protocol RegionMap: MapGround {
    /// The region's name.
    var region: String { get }
    /// Its map.
    var source: MapSource { get }
}
