import PluginKit
import TrailStores

/// Routing: regions from map and elevation files, routes, turn instructions, profiles.
public struct RoutingPlugin: Plugin {
    /// The name of the area.
    public let name = "routing"
    /// What it is for.
    public let summary = "regions from maps and elevation, routes, turn instructions, elevation profiles"
    /// Its version.
    public let version = "1.0"
    /// What is loaded when it is first used.
    public let libraries: [NativeLibrary] = [.osmium, .archive]

    private let regions = RegionChoice()
    private let library = RouteLibrary()
    private var service: RouteService { RouteService(regions: regions) }

    /// A plugin for one session.
    public init() {}

    /// The commands of regions, of planning, and of kept routes.
    public var commands: [any CommandProvider] {
        [
            ImportRegion(regions: regions), SketchRegion(regions: regions), SampleRegion(),
            ListRegions(regions: regions), RegionInfo(regions: regions), RemoveRegion(regions: regions),
            PlanRoute(service: service), AlternativeRoutes(service: service),
            ReachableCommand(service: service),
            MoveRoutePin(service: service), ReverseRoute(service: service), MatchRoute(service: service),
            RouteTurns(), RouteElevation(), RouteTimes(), RouteProfiles(), RouteProfileCommand(),
            ImportRoute(library: library), SaveRoute(library: library), ListRoutes(library: library),
            ShowRoute(), RenameRoute(library: library), DeleteRoute(library: library),
        ]
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] {
        RouteErrors.all + RegionErrors.all + SavedRouteErrors.all + [CostProfiles.unusable]
    }

    /// Names of routes, and planning for others.
    public var capabilities: [any Capability] {
        let service = service
        return [
            RouteReferences(library: library) { service.dressed($0, $1) }, service,
            RegionCompletions(regions: regions), RegionNameSearch(regions: regions),
            ProfileCompletions(), NetworkBaseMap(regions: regions),
        ]
    }

    /// Forgets the open regions.
    public func close() async { regions.closeAll() }
}
