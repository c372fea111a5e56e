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

    /// What its commands are for.
    public var commandGroup: CommandGroup { .transit }

    /// Commands of stops and their map, of lines, trips, departures and journeys, and of feeds.
    public var commands: [any CommandProvider] {
        [
            StopList(library: library), StopNear(library: library),
            StopFind(library: library, screen: screen),
            StopShow(library: library, screen: screen), StopLines(library: library),
            StopClusterCommand(library: library),
            StopMapCommand(screen: screen), StopDrawerCommand(library: library, screen: screen),
            StopPlay(library: library, screen: screen),
            LineList(library: library), LineShow(library: library, realtime: realtime),
            LineShapes(library: library),
            LineTimetableCommand(library: library, realtime: realtime),
            TripShow(library: library, realtime: realtime),
            DeparturesCommand(library: library, realtime: realtime),
            ArrivalsCommand(library: library, realtime: realtime),
            JourneyCommand(library: library, realtime: realtime),
            JourneyReachable(library: library, realtime: realtime),
            FeedImportCommand(library: library), FeedList(library: library), FeedShow(library: library),
            FeedService(library: library), FeedCheckCommand(), FeedDiff(), FeedSample(),
            FeedFares(library: library), FeedLanguage(library: library),
            FeedRealtime(library: library, realtime: realtime),
            FeedUpdates(library: library, realtime: realtime),
            FeedAlerts(library: library, realtime: realtime),
            FeedVehicles(library: library, realtime: realtime),
        ]
    }

    /// Commands of earlier versions.
    public var formerCommands: [String: String] { FormerCommands.all }

    /// The kinds of error that it throws.
    public var errors: [ErrorKind] { TransitErrors.all }

    /// Names of stops and lines for `@` and for `place find`, and the stops of the open map for the session's map.
    public var capabilities: [any Capability] {
        [
            StopReferences(library: library), LineReferences(library: library), places, FeedKinds.importer,
            OtherTransitFiles(),
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
