import Geodesy
import Pictures
import PluginKit

/// `stop cluster`
struct StopClusterCommand: CommandProvider {
    let library: FeedLibrary

    /// The columns of groups on a screen, where single stops are pins.
    private static let screenColumns = ["count", "id", "name", "mode", "platform", "lines", "at"]

    var name: String { "stop cluster" }

    var command: Command {
        Command(
            name, "group nearby stops into clusters, as the map does",
            details: """
                With more than 100 stops, groups of more than 5 within 100 m of a stop become clusters, beginning with the \
                stop that has the most neighbours. Every stop is in exactly one row, in a cluster or on its own, so the \
                counts add up; the result does not depend on the order of the input. With --zoom the distance is that on the \
                screen, 32 points, as of `stop map`. `trace` shows how clusters form.
                """,
            .option(
                "above", .integer(0...TransitSettings.mostStops), default: "\(TransitSettings.clusterAbove)",
                "number of stops above which clusters are made"),
            .option(
                "zoom", .number(TransitSettings.zooms),
                "Web Mercator zoom level of the screen; default: distance on the ground"),
            input: .rows(StopObject.columns), output: .rows(["count", "name", "at"]), effect: .reads,
            examples: [
                .init(
                    "the bays of a terminal",
                    "stop list 0.49,0.48,0.52,0.51 | stop cluster | where count > 1 | select count name",
                    after: FeedExamples.feed,
                    gives: """
                        count  name
                            8  Bus Terminal
                        """),
                .init(
                    "the counts add up", "stop list 0.49,0.48,0.52,0.51 | stop cluster | sum count",
                    after: FeedExamples.feed, gives: "117"),
                .init(
                    "as a map of zoom 13 shows them",
                    "stop list 0.49,0.48,0.52,0.51 | stop cluster --zoom 13 | sum count",
                    after: FeedExamples.feed, gives: "117"),
            ],
            searchTerms: [
                "duplicate stops", "double stops", "group platforms", "one station", "group", "pins",
            ]
        ) { input, context, above, zoom in
            let all = try input.objects(
                of: StopObject.self, "stops", for: "stop cluster",
                fix: "stop list S,W,N,E | stop cluster"
            ).map(\.stop)
            let placed = PlacedStops(all)
            let note = placed.note(input.asRows?.note)
            if let zoom { return try onScreen(placed, above, zoom, note, input.asRows?.cut, context) }
            let stops = placed.stops
            var clusters: [ClusterObject] = []
            var singles = stops
            if stops.count > above {
                let places = placed.places
                let keys = stops.map(\.id)
                let made: StopClusters
                if let tracing = context.tracing {
                    var log = TraceLog(limit: tracing.limit)
                    log.record(
                        .start(
                            [("stops", .integer(stops.count)), ("above", .integer(above))],
                            why:
                                "there are more than \(above) stops: nearby ones form clusters"
                        ))
                    made = StopClusters(places, keys: keys, recorder: &log)
                    log.record(
                        .end(
                            [
                                ("clusters", .integer(made.clusters.count)),
                                ("singles", .integer(made.singles.count)),
                            ], why: "every stop is in a cluster or single"))
                    tracing.keep(log, picture: ClusterPicture(stops: stops, clusters: made))
                } else {
                    var none = NoTrace()
                    made = StopClusters(places, keys: keys, recorder: &none)
                }
                clusters = made.clusters.map { cluster in
                    ClusterObject(
                        center: cluster.center, stops: cluster.members.map { stops[$0] },
                        first: stops[cluster.members[0]])
                }
                singles = made.singles.map { stops[$0] }
            }
            let rows = clusters + singles.compactMap { ClusterObject(StopObject($0)) }
            return .rows(
                Rows(
                    objects: rows, columns: ["count", "name", "at"], note: note,
                    cut: input.asRows?.cut))
        }.deciding("stop list 0.49,0.48,0.52,0.51 | stop cluster --above 1", after: FeedExamples.feed)
    }

    /// The groups on a screen of a zoom, with the lines of single stops; what was not read of the input is said.
    private func onScreen(
        _ placed: PlacedStops, _ above: Int, _ zoom: Double, _ note: String?, _ cut: Cut?,
        _ context: Context
    ) throws -> Value {
        let stops = placed.stops
        var (groups, singles) = ([[Int]](), Array(stops.indices))
        if stops.count > above {
            guard let made = ScreenGroups(placed.places, zoom: zoom) else {
                throw CommonErrors.argumentRange(
                    "at zoom \(Literal.number(zoom)) these stops are on no one screen",
                    at: .parameter("zoom"),
                    fix: "give a smaller zoom, or list a smaller region")
            }
            (groups, singles) = (made.groups, made.singles)
        }
        let clusters = groups.map { group in
            let members = group.map { stops[$0] }
            return ClusterObject(
                center: StopClusters.center(group.map { placed.places[$0] }), stops: members,
                first: members[0])
        }
        let alone = singles.map { stops[$0] }
        let pins = try library.feedIfAny(context)?.stops.described(alone) ?? alone.map { StopObject($0) }
        return .rows(
            Rows(
                objects: clusters + pins.compactMap { ClusterObject($0) }, columns: Self.screenColumns,
                note: note, cut: cut))
    }
}

/// The stops of a list that have a place, and how many have none.
private struct PlacedStops {
    let stops: [StopRecord]
    let places: [Coordinate]
    private let unplaced: Int

    init(_ all: [StopRecord]) {
        stops = all.filter { $0.coordinate != nil }
        places = stops.compactMap(\.coordinate)
        unplaced = all.count - stops.count
    }

    /// The note of the input, with the number of stops that are on no map.
    func note(_ note: String?) -> String? {
        let own = unplaced == 0 ? nil : "left out: \(unplaced, of: "stop") without a known place"
        let notes = [note, own].compactMap(\.self)
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }
}

/// Draws the stops and the clusters formed up to a step.
private struct ClusterPicture: TracePicturing {
    let stops: [StopRecord]
    let clusters: StopClusters

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        let formed = clusters.clusters.prefix(steps.count { $0.kind == "cluster" })
        let inside = Set(formed.flatMap(\.members))
        return MarksPicture(
            marks: MapMarks(
                pins: stops.indices.filter { !inside.contains($0) }.map { StopObject(stops[$0]) },
                clusters: formed.map { cluster in
                    ClusterObject(
                        center: cluster.center, stops: cluster.members.map { stops[$0] },
                        first: stops[cluster.members[0]])
                }))
    }
}

/// Marks of a map as a value that `map` draws.
private struct MarksPicture: FieldedObject, MapDrawable {
    let marks: MapMarks
    let typeName = "marks"

    static let fields = FieldTable<Self> {
        Field("clusters") { .integer($0.marks.clusters.count) }
        Field("singles") { .integer($0.marks.pins.count) }
    }

    var summary: String { "\(marks.clusters.count) clusters, \(marks.pins.count) single stops" }
    var mapFeatures: [MapFeature] { marks.features }
}
