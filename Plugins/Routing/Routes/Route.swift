import Foundation
import Geodesy
import Pictures
import PluginKit
import TrailStores
import TurnInstructions

/// A route as a value in the pipe: its saved part, and the details of the search that found it.
struct Route: StoredRoute {
    /// The details of the search.
    struct Found: Sendable {
        /// The cost by the profile, in equivalent metres of easy way.
        var cost: Double
        /// The junctions it passes, by their OSM identifiers.
        var nodes: [Int]
        /// The pieces of way.
        var edges: [RouteEdge]
        /// The line with altitudes where they are known.
        var line: [Coordinate]
        /// The legs and junctions, for turn instructions.
        var turnPath: @Sendable () -> TurnPath
        /// The thresholds of its turns: the settings when it was planned.
        var thresholds = TurnThresholds()
        /// Metres climbed and descended as the app sums them: between the ends of edges only. `nil` if the
        /// height of an end is unknown.
        var climbOfEnds: (gain: Double, loss: Double)?
        /// Warnings, such as steep grades.
        var warnings: [String] = []
        /// Whether all heights along the line are known.
        var hasHeights = true
        /// The request that it was planned from.
        var plan: RoutePlan
        /// How an alternative differs from the best route.
        var why: String?
        /// The share of a round trip that is walked more than once.
        var twice: Double?
        /// Whether other regions contain its coordinates too, so that its own is shown.
        var showsRegion = false
    }

    /// The saved part. Its instructions are empty until requested.
    var planned: PlannedRoute
    /// The search's details; `nil` for routes from files.
    var found: Found?
    /// Lines of the trail network around it, for maps.
    var surroundings: (@Sendable (BoundingBox) -> [MapFeature])?

    /// A route from a file, or from a search.
    init(_ planned: PlannedRoute, found: Found? = nil) {
        self.planned = planned
        self.found = found
    }

    var id: UUID { planned.id }
    var name: String { planned.name }
    var mode: TravelMode { planned.mode }
    var distance: Double { planned.distance }
    var duration: Double { planned.duration }
    var request: (any RouteRequest)? { found?.plan }

    /// Warnings of the search, or of that by which a file was planned, and doubts of how the file is written.
    var warnings: [String] { planning + planned.doubts }

    /// Warnings that hold wherever the route is saved.
    var planning: [String] { found?.warnings ?? planned.warnings }

    /// The line with altitudes where they are known.
    var line: [Coordinate] { found?.line ?? RouteProfile.line(of: planned) }

    /// Metres climbed and descended; `nil` if heights along it are unknown. A file without heights states
    /// 0.
    var climb: (gain: Double, loss: Double)? {
        if let found { return found.hasHeights ? (planned.gain, planned.loss) : nil }
        let isStated = planned.profile != nil || planned.gain != 0 || planned.loss != 0
        return isStated ? (planned.gain, planned.loss) : nil
    }

    /// The saved instructions, else those generated from the path.
    var turns: [TurnInstruction] {
        if !planned.turns.isEmpty { return planned.turns }
        var generator = TurnGenerator(trace: NoTrace(), thresholds: thresholds)
        return turns(by: &generator)
    }

    /// The instructions generated from the path or, if only the line is known, from its bends.
    func turns<Recorder>(by generator: inout TurnGenerator<Recorder>) -> [TurnInstruction] {
        guard let found else { return generator.turns(alongLine: planned.coordinates) }
        return generator.turns(along: found.turnPath())
    }

    /// The thresholds of its turns.
    var thresholds: TurnThresholds { found?.thresholds ?? TurnThresholds() }

    /// The instructions in a language, regenerated.
    func turns(in language: TurnLanguage) -> [TurnInstruction] {
        var generator = TurnGenerator(trace: NoTrace(), language: language, thresholds: thresholds)
        return turns(by: &generator)
    }

    /// The route as it is saved, with its instructions.
    ///
    /// The file states heights for the whole route or none: a profile of a part would be read as that of the
    /// whole.
    var complete: PlannedRoute {
        var copy = planned
        copy.turns = turns
        (copy.warnings, copy.doubts) = (planning, [])
        if found?.hasHeights == false { (copy.profile, copy.gain, copy.loss) = (nil, 0, 0) }
        return copy
    }
}

extension Route: FieldedObject {
    /// The columns of lists of routes.
    static let columns = ["name", "mode", "distance", "duration", "gain", "loss", "created", "id"]

    var typeName: String { "route" }
    var summary: String { "route \(name), \(Literal.quantity(.metres(distance)))" }

    static let fields = FieldTable<Route> {
        Field("name") { .text($0.planned.name) }
        Field("mode") { .text($0.planned.mode.rawValue) }
        Field("distance") { .quantity(.metres($0.planned.distance)) }
        Field("cost") { Value($0.found?.cost) { .number(($0 * 10).rounded() / 10) } }
        Field("duration") { .quantity(.seconds($0.planned.duration)) }
        Field("gain") { Value($0.climb?.gain) { .quantity(.climb($0)) } }
        Field("loss") { Value($0.climb?.loss) { .quantity(.climb($0)) } }
        Field("nodes") { .list(($0.found?.nodes ?? []).map(Value.integer)) }
        Field("edges") { .table(columns: RouteEdge.columns, rows: ($0.found?.edges ?? []).map(\.row)) }
        Field("coordinates") { .list($0.planned.coordinates.map(Value.coordinate)) }
        Field("via") { .list($0.planned.via.map(Value.coordinate)) }
        Field("start") { .coordinate($0.planned.start) }
        Field("end") { .coordinate($0.planned.end) }
        Field("region", where: { $0.found?.showsRegion == true }) { Value($0.planned.regionID, Value.text) }
        Field("warnings", where: { !$0.warnings.isEmpty }) { .list($0.warnings.map(Value.text)) }
        Field(hidden: "id") {
            .text($0.planned.id.uuidString.prefix(RouteLibrary.shownPrefix).lowercased())
        }
        Field(hidden: "uuid") { .text($0.planned.id.uuidString) }
        Field(hidden: "created") { .date($0.planned.createdAt) }
        Field(hidden: "modified") { Value($0.planned.modifiedAt, Value.date) }
        Field(hidden: "turns") {
            .table(objects: $0.turns.map(RouteTurn.init), columns: RouteTurn.columns)
        }
        Field(hidden: "why") { Value($0.found?.why, Value.text) }
        Field(hidden: "twice") { Value($0.found?.twice) { .quantity(.share(($0 * 100).rounded() / 100)) } }
        Field(hidden: "error") { _ in .nothing }
    }

    var place: Value? { .coordinate(planned.start) }
}

/// A piece of way that a route uses.
struct RouteEdge: Sendable, Hashable {
    static let columns = ["name", "highway", "surface", "sac", "distance", "gain", "loss", "cost", "way"]

    var name: String?
    var highway: String?
    var surface: String?
    var sac: String?
    var distance: Double
    var gain: Double
    var loss: Double
    var cost: Double
    /// Seconds.
    var duration = 0.0
    var way: Int?
    /// The tags of the way.
    var kind = EdgeKind()
    /// Why access for the profile is restricted or conditional; `nil` if it is not.
    var restriction: String?
    /// Whether all heights along it are known; otherwise gain and loss are unknown.
    var hasHeights = true

    var row: Value {
        .record(
            Record(
                keys: Self.columns,
                values: [
                    Value(name, Value.text), Value(highway, Value.text), Value(surface, Value.text),
                    Value(sac, Value.text), .quantity(.metres(distance)),
                    hasHeights ? .quantity(.climb(gain)) : .nothing,
                    hasHeights ? .quantity(.climb(loss)) : .nothing, .number((cost * 10).rounded() / 10),
                    Value(way, Value.integer),
                ]))
    }
}

/// A turn instruction as a row.
struct RouteTurn: FieldedObject {
    let turn: TurnInstruction

    var typeName: String { "turn" }
    var summary: String { turn.description }

    static let fields = FieldTable<Self> {
        Field(column: "direction") { .text($0.turn.direction.rawValue) }
        Field(column: "text") { .text($0.turn.description) }
        Field(column: "bearing") { .quantity(.degrees($0.turn.bearing)) }
        Field(column: "distance") { .quantity(.metres($0.turn.distanceFromPrevious)) }
        Field(column: "cumulative") { .quantity(.metres($0.turn.cumulativeDistance)) }
        Field(column: "name") { Value($0.turn.trailName, Value.text) }
        Field(column: "at") { .coordinate($0.turn.coordinate) }
        Field("symbol") { .text($0.turn.direction.symbolName) }
    }
}

extension TurnDirection {
    /// The name of the system's symbol that the apps show for a direction.
    var symbolName: String {
        switch self {
        case .start: "figure.walk"
        case .straight: "arrow.up"
        case .slightLeft: "arrow.up.left"
        case .left: "arrow.turn.up.left"
        case .sharpLeft: "arrow.turn.down.left"
        case .slightRight: "arrow.up.right"
        case .right: "arrow.turn.up.right"
        case .sharpRight: "arrow.turn.down.right"
        case .uTurn: "arrow.uturn.down"
        case .arrive: "mappin.circle.fill"
        }
    }
}

extension Quantity {
    /// Metres climbed or descended, shown to three digits and never in kilometres.
    static func climb(_ value: Double) -> Quantity {
        Quantity(value, .length, unit: MeasureUnit.named("m"), digits: measuredDigits)
    }
}
