import PluginKit
import TrailStores
import TurnInstructions

/// Routing: regions from map and elevation files, routes, turn instructions, profiles.
public struct RoutingPlugin: Plugin {
    /// The plugin's name.
    public let name = "routing"
    /// The summary shown by `plugin list`.
    public let summary = "regions from maps and elevation, routes, turn instructions, elevation profiles"
    /// Its version.
    public let version = "1.0"
    /// Libraries loaded on first use.
    public let libraries: [NativeLibrary] = [.osmium, .archive, .tiff]

    private let regions = RegionChoice()
    private let library = RouteLibrary()
    private let hikes = ActiveStore<HikeStore>()
    private let waypoints = ActiveStore<WaypointStore>()
    private var service: RouteService { RouteService(regions: regions) }

    /// A plugin for one session.
    public init() {}

    /// What its commands are for.
    public var commandGroup: CommandGroup { .routes }

    /// The commands of regions, planning and saved routes.
    public var commands: [any CommandProvider] {
        [
            ImportRegion(regions: regions), SketchRegion(regions: regions).grouped(.teaching), SampleRegion(),
            ListRegions(regions: regions), ShowRegion(regions: regions), DeleteRegion(regions: regions),
            PlanRoute(service: service),
            ReachableCommand(service: service),
            MoveRoutePin(service: service), ReverseRoute(service: service), MatchRoute(service: service),
            RouteTurns(), ExplainRoute(service: service), RouteTimes(), RouteProfiles(),
            RouteProfileCommand(),
            RoundTripCommand(service: service), RouteMatrix(service: service), RouteOrder(service: service),
            RouteStages(regions: regions), RouteAlongTrail(service: service), ListTrails(regions: regions),
            ShowTrail(regions: regions), JoinRegions(regions: regions),
            SaveRoute(library: library), ListRoutes(library: library),
            ShowRoute(), EditRoute(library: library), DeleteRoute(library: library),
        ]
    }

    /// Commands of earlier versions.
    public var formerCommands: [String: String] {
        [
            "route import": "import FILE --as routes", "route rename": "route edit ROUTE --name TEXT",
            "route elevation": "elevation --stats", "route profiles": "profile list",
            "route profile": "profile show NAME", "region info": "region show",
            "region remove": "region delete",
            "route alternatives": "route plan FROM TO --alternatives 2",
        ]
    }

    /// The kinds of error its commands throw.
    public var errors: [ErrorKind] {
        RouteErrors.all + RegionErrors.all + SavedRouteErrors.all + [
            CostProfiles.unusable, RegionTrails.unknown,
        ]
    }

    /// Route names, route planning for other plugins, named places, completions and the base map.
    public var capabilities: [any Capability] {
        let service = service
        return [
            RouteReferences(library: library) { service.dressed($0, $1) }, service,
            RegionCompletions(regions: regions), RegionNameSearch(regions: regions),
            ProfileCompletions(), NetworkBaseMap(regions: regions), RegionHeights(regions: regions),
            RouteMapContent(library: library), TrackRoutes(), MapFiles.importer,
            TrackImporter(hikes: hikes, waypoints: waypoints),
        ]
    }

    /// The thresholds of turns.
    public var settings: [SettingSpec] { TurnThresholds.settings }

    /// Closes the open regions.
    public func close() async {
        regions.closeAll()
        hikes.close()
        waypoints.close()
    }
}
