import Geodesy
import PluginKit

/// `beacon bearings`
struct BeaconBearings: CommandProvider {
    var name: String { "beacon bearings" }

    var command: Command {
        Command(
            name, "list the direction in which each beacon is heard",
            details: """
                bearing is the initial bearing of the great circle, from true north; relative is bearing minus the listener's \
                heading. x, y, z are metres in the listener's space, \
                \(Literal.number(BeaconSettings.sourceDistance)) m away: right, up, and back (ahead is −z). A beacon is \
                reached within 20 m, and left beyond 35 m; where the listener is it has no direction. Disabled beacons are \
                omitted. facing tells whether one faces it, \
                within \(Literal.number(BeaconSettings.facing))°; magnetic is the bearing by a compass, where the model of the \
                magnetic field says it. `step` shows each decision.
                """,
            ListenerOptions.parameter,
            ListenerOptions.after,
            .option(
                "every", .quantity(.duration, in: 0.1...BeaconSettings.longestSound),
                "interval of rows for each beacon, to the end of the walk"),
            BeaconOptions.placing,
            BeaconOptions.follow,
            output: .rows(HeardObject.columns), effect: .reads,
            examples: [
                .init(
                    "north and home",
                    "beacon bearings --place 0.5,0.5 --heading 90deg | select beacon bearing relative x z",
                    after: ["beacon add home 0.5,0.51"],
                    gives: """
                        beacon  bearing  relative   x   z
                        north      0deg    270deg  -4   0
                        home      90deg      0deg   0  -4
                        """),
                .init(
                    "a listener is required", "expect-error E-BEACON-LISTENER beacon bearings",
                    after: ["beacon add home 0.5,0.51"],
                    gives: "the listener's coordinate is missing, which home must be heard from"),
                .init(
                    "by a compass",
                    "beacon bearings --place 46.5,7.5 --heading 0deg | select beacon magnetic",
                    gives: """
                        beacon  magnetic
                        north   356.7deg
                        """),
            ],
            searchTerms: [
                "turn my head", "rotate my head",
                "which way is", "left or right of me", "where is it from here",
                "which way is a beacon",
                "direction", "azimuth", "position", "magnetic", "facing", "on target",
                "where does the sound come from", "from which side", "which direction do i hear",
            ]
        ) { context, listener, after, every, placing, followed in
            let path = try listener.path(context, follows: followed != nil)
            let set = try BeaconStore(context).load()
            let lineup = AudibleSources(
                set, from: path.pose(at: after).coordinate, following: try set.following(followed))
            var log = TraceLog(limit: context.tracing?.limit ?? 0)
            if context.tracing != nil { log.record(HeardSteps.started(path.pose(at: after), lineup)) }
            var tracker = SceneTracker(lineup.sources, path: path, placing: placing)
            var rows: [HeardObject] = []
            var time = after
            repeat {
                try context.checkCancelled()
                tracker.advance(to: time)
                let declination = MagneticNorth.declination(path.pose(at: time).coordinate, context)
                for index in lineup.sources.indices {
                    let placement = tracker.traced(index, tracing: context.tracing != nil, log: &log)
                    rows.append(
                        HeardObject(
                            source: tracker.present(index), placement: placement,
                            time: every == nil ? nil : time, declination: declination))
                }
                time += every ?? .infinity
            } while time <= path.duration && rows.count < Self.mostRows
            if context.tracing != nil { log.record(HeardSteps.ended(rows.count)) }
            context.tracing?.keep(
                log, picture: HeardPicturing(pose: path.pose(at: after), sources: lineup.sources))
            let columns = (every == nil ? [] : ["time"]) + HeardObject.columns
            let isCut = every != nil && time <= path.duration
            let cut =
                isCut ? Cut(missing: nil, "the limit is \(Self.mostRows) rows; use a longer --every") : nil
            return .rows(Rows(objects: rows, columns: columns, note: lineup.notice, cut: cut))
        }.deciding("beacon bearings --place 0.5,0.5 --heading 90deg", after: ["beacon add home 0.5,0.51"])
    }

    /// Rows of a walk: an hour of 32 beacons, each second.
    private static let mostRows = 115_200
}

extension PlacementCalculator {
    /// A placement whose steps are recorded in the log only while tracing.
    func traced(
        _ source: Source, from pose: Pose, wasThere: Bool, tracing: Bool, log: inout TraceLog
    ) -> SourcePlacement {
        if tracing {
            return placement(
                of: source.coordinate, name: source.name, from: pose, wasThere: wasThere, trace: &log)
        }
        var none = NoTrace()
        return placement(
            of: source.coordinate, name: source.name, from: pose, wasThere: wasThere, trace: &none)
    }
}
