import Geodesy

/// Provides the base map below a track or a route, from local data, without the network.
public protocol BaseMap: Capability {
    /// The map of an area and its attribution; `nil` where there is no data. `region` selects a region if
    /// known. The value conforms to `MapDrawable` of the Pictures module.
    func baseMap(of box: BoundingBox, region: String?, context: Context) throws -> BaseMapContent?
    /// The available regions, in order.
    func regionNames(_ context: Context) -> [String]
}

/// The base map of an area.
public struct BaseMapContent: Sendable {
    /// The drawable value.
    public let drawing: any DomainObject
    /// The attribution; empty if none is required.
    public let attribution: String
    /// Why the map is incomplete, for example because the region was imported by an earlier version.
    public let notice: String?

    /// Creates a base map.
    public init(drawing: any DomainObject, attribution: String, notice: String? = nil) {
        self.drawing = drawing
        self.attribution = attribution
        self.notice = notice
    }
}
