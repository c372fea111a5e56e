import Geodesy
import Pictures
import PluginKit

/// What lies under a view: the one rule for maps, tiles, reports, stop maps and the page.
///
/// The topographic map of a region that covers the view comes first, whichever plugin provides it; otherwise the ways of
/// one that has no map features, with the reason.
public struct BaseMapChoice: Sendable {
    /// The topographic map; `nil` if no region in view has one.
    public private(set) var ground: (any MapGround)?
    /// The attribution of all that is in the data; empty if none is required.
    public private(set) var attribution = ""
    /// Why there is no topographic map, if one might be expected.
    public private(set) var notice: String?
    /// Whether there are regions, and none covers the view: a blank map is no map of an empty land.
    public private(set) var isUncovered = false
    /// Whether there is no region at all.
    public private(set) var hasNoRegion = false

    private var drawing: (any DomainObject)?

    /// Chooses for an area. `region` selects a region if known.
    public init(of box: BoundingBox, region: String? = nil, _ context: Context) throws {
        let sources = context.all((any BaseMap).self)
        var isFound = false
        for source in sources {
            guard let content = try source.baseMap(of: box, region: region, context: context) else {
                continue
            }
            if let map = content.drawing as? any MapGround {
                (ground, drawing, attribution, notice) = (map, content.drawing, content.attribution, nil)
                return
            }
            isFound = true
            notice = notice ?? content.notice
            if drawing == nil, content.drawing is any MapDrawable {
                (drawing, attribution) = (content.drawing, content.attribution)
            }
        }
        hasNoRegion = sources.allSatisfy { $0.regionNames(context).isEmpty }
        isUncovered = !isFound && !hasNoRegion
    }

    /// The ways of the region, to be drawn where the topographic map is not.
    public var ways: [MapFeature] { get throws { try (drawing as? any MapDrawable)?.mapFeatures ?? [] } }

    /// The attribution of the ways alone, without elevation data.
    public var attributionOfWays: String { ground == nil ? attribution : MapAttribution.openStreetMap }
}
