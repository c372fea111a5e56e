import Geodesy

/// Draws what lies around: the map below a track or a route, from data that is there, without the network.
public protocol BaseMap: Capability {
    /// What is known of a part of the world, to be drawn below other things, and whose data it is; `nil` where nothing
    /// is known. `region` names the region that is meant, where that is known. The thing conforms to `MapDrawable` of
    /// the Pictures module.
    func baseMap(of box: BoundingBox, region: String?, context: Context) throws -> BaseMapContent?
    /// The regions that it knows, in order.
    func regionNames(_ context: Context) -> [String]
}

/// What lies around a place, for maps.
public struct BaseMapContent: Sendable {
    /// The thing to draw.
    public let drawing: any DomainObject
    /// Whose data it is; empty where that need not be said.
    public let attribution: String
    /// Why it is not a map with everything, for example because the region was imported by an earlier version.
    public let notice: String?

    /// A thing to draw below others.
    public init(drawing: any DomainObject, attribution: String, notice: String? = nil) {
        self.drawing = drawing
        self.attribution = attribution
        self.notice = notice
    }
}
