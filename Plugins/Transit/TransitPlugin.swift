import Fetching
import PluginKit
import TrailStores

/// Timetables from GTFS feeds, the map of stops with its drawer, search and departures.
public struct TransitPlugin: Plugin {
    /// The name of the plugin.
    public let name = "transit"
    /// A one-line summary.
    public let summary = "timetables from GTFS feeds, the map of stops, search, departures"
    /// Its version.
    public let version = "1.0"
    /// The libraries that it loads on first use.
    public let libraries: [NativeLibrary] = [.archive, .http]

    private let library: FeedLibrary
    private let screen: StopScreen
    private let places: StopPlaces
    private let realtime: RealtimeState

    /// A plugin for one session.
    public init() {
        library = FeedLibrary()
        realtime = RealtimeState()
        screen = StopScreen(library, realtime)
        places = StopPlaces(library: library)
    }

    /// Commands of timetables, of stops, of departures, and of the app's screen.
    public var commands: [any CommandProvider] {
        let drawer = DrawerService(library: library, screen: screen)
        return [
            ImportFeed(library: library), OpenFeed(library: library), WorkspaceFeed(),
            FeedInfo(library: library),
            SampleCommand(),
            StopsRegion(library: library), StopsNear(library: library),
            StopsSearch(library: library, screen: screen),
            StopRoutes(library: library), TripShow(library: library, realtime: realtime),
            LinesCommand(library: library),
            LineTimetableCommand(library: library), TransitService(library: library),
            ShapesCommand(library: library),
            CheckFeed(), CompareFeeds(), RealtimeCommand(library: library, realtime: realtime),
            AlertsCommand(library: library, realtime: realtime),
            VehiclesCommand(library: library, realtime: realtime), StopsCluster(),
            StopsShow(library: library, screen: screen),
            DeparturesCommand(library: library, realtime: realtime),
            JourneyCommand(library: library, realtime: realtime),
            MapViewCommand(screen: screen), MapMoveCommand(screen: screen), MapZoomCommand(screen: screen),
            MapPlay(library: library, screen: screen),
            OpenDrawer(service: drawer), DrawerCommand(service: drawer), ScrollDrawer(service: drawer),
            CloseDrawer(service: drawer),
        ]
    }

    /// The kinds of error that it throws.
    public var errors: [ErrorKind] { TransitErrors.all }

    /// Names of stops and lines for `@` and for place search, and the stops of the open map for the session's map.
    public var capabilities: [any Capability] {
        [
            StopReferences(library: library), LineReferences(library: library), places,
            StopMapContent(screen: screen),
        ]
    }

    /// Closes the timetable and the map.
    public func close() async {
        places.close()
        screen.close()
        library.close()
    }
}
