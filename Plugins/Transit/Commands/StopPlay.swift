import CivilTime
import Formats
import Geodesy
import Pictures
import PluginKit
import TrailStores

/// `stop play`
struct StopPlay: CommandProvider {
    let library: FeedLibrary
    let screen: StopScreen

    var name: String { "stop play" }

    var command: Command {
        Command(
            name, "use the map of stops full screen",
            details: """
                Arrows pan, + and - zoom, n and p select the next and the previous pin, Enter opens the drawer further and b \
                closes it, j and k scroll it, c centres the selected stop, / searches, m drops a pin at the centre, which becomes a \
                waypoint, space runs or stops the clock, < and > change its speed, t advances it by a minute, q quits. The clock of the player starts at the session's and does not \
                change it. The map keeps its last state; `undo` restores the earlier one. Without a terminal the map is \
                returned unchanged.
                """,
            output: .value("stopMap"), effect: .changes,
            examples: [
                .init(
                    "without a terminal", "stop play | get selected | get id", after: FeedExamples.map,
                    gives: "HAR"
                )
            ], searchTerms: ["live", "full screen", "interactive", "keys"]
        ) { context in
            let map = try screen.map(context)
            guard let lender = context.screen, context.environment.isInteractive else {
                return .object(try screen.object(map, context))
            }
            let source = Source(
                feed: try library.feed(context), screen: screen, context: context,
                permit: context.entries?.permit)
            let environment = context.environment
            let last = try await lender.withScreen { live in
                var player = MapPlayer(
                    map, source: source, time: context.clock.now, isRunning: context.clock.isFollowing)
                try await player.play(on: live, environment)
                var map = player.map
                map.resize()
                return map
            }
            try screen.change("played the map of stops", context) { _ in last }
            return .object(try screen.object(last, context))
        }
    }

    /// The timetable of the session.
    private struct Source: MapPlaySource, Sendable {
        let feed: Feed
        let screen: StopScreen
        let context: Context
        /// Lets a pin be added within this command.
        let permit: EntryPermit?

        func load(_ region: BoundingBox) throws -> LoadedStops { try screen.load(region, context) }

        func board(of stop: StopRecord, in state: DrawerState, at time: Timestamp) throws -> DepartureBoard? {
            try screen.board(of: stop, in: state, feed, at: time, context)
        }

        func object(_ map: StopMap, at time: Timestamp) throws -> StopMapObject {
            try screen.object(map, context, at: time)
        }

        func find(_ text: String) throws -> [StopObject] {
            try feed.stops.described(try feed.names.find(text, limit: TransitSettings.playResults).stops)
        }

        func dropPin(at coordinate: Coordinate) async -> DroppedPin {
            guard let entries = context.entries else {
                return DroppedPin(message: "pins cannot be kept here")
            }
            let place = Coordinate(
                latitude: coordinate.latitude.rounded(decimals: TransitSettings.pinDecimals),
                longitude: coordinate.longitude.rounded(decimals: TransitSettings.pinDecimals))
            let text = Literal.coordinate(place)
            let options = EntryRunOptions(isRecorded: true, isReadOnly: false, permit: permit)
            let outcome = await entries.run("waypoint add \(text)", options)
            if let failure = outcome.failure { return DroppedPin(message: "no pin: \(failure.message)") }
            let custom = WaypointCategory.custom
            return DroppedPin(
                feature: .waypoint(
                    MapWaypoint(
                        name: "dropped-\(text)", coordinate: place, label: "", colorHex: custom.colorHex,
                        icon: custom.icon)),
                message: "waypoint added at \(text)")
        }

        func moment(_ time: Timestamp) -> String {
            let seconds = Int(time.seconds.rounded(.down))
            return
                "\(ServiceDay.date(of: seconds, in: feed.zone).text) \(ServiceDay.clock(seconds, in: feed.zone))"
        }
    }
}
