import Formats
import Geodesy
import PluginKit

/// The cues that the author of a plan wrote at its points: they are told instead of the bends there.
struct PlanCues {
    /// What is told at a place.
    struct Cue: Sendable, Hashable {
        let coordinate: Coordinate
        let text: String
        /// The turn that its words surely say; `nil` if they say none: then the bend there decides.
        let direction: TurnDirection?
    }

    let cues: [Cue]

    /// Metres from the line within which a cue belongs to it, along the line within which it is about a bend, and from the
    /// ends within which it is about them.
    static let beside = 25.0
    private static let sameBend = 30.0
    private static let end = 15.0

    /// The course points of a file, the route points that say something, and waypoints that say a turn.
    init(_ file: TrackFile) {
        let document = file.document
        let isCourse = file.format == .tcx
        var cues = document.waypoints.compactMap { Self.cue($0, isPlace: !isCourse) }
        for route in document.routes {
            cues += route.segments.joined().compactMap { Self.cue($0, isPlace: false) }
        }
        // Some planners write the turns into the points of the track.
        for track in document.tracks {
            cues += track.segments.joined().lazy.filter(\.hasWords).compactMap {
                Self.cue($0, isPlace: true)
            }
        }
        self.cues = cues
    }

    private static func cue(_ point: GPXPoint, isPlace: Bool) -> Cue? {
        let words = [point.description, point.comment, point.name].compactMap(\.self).map(CueText.plain)
        let said = [point.type, point.symbol, point.name].compactMap(\.self).compactMap(TurnWords.only).first
        let direction = said ?? (isPlace ? nil : words.lazy.compactMap(TurnWords.among).first)
        // Points that a program numbered say nothing, and a waypoint is a place unless it says a turn.
        let text = words.first(where: TurnWords.isSaying) ?? (said ?? direction).map(RejoinWording.verb)
        guard let text, !isPlace || direction != nil else { return nil }
        return Cue(
            coordinate: point.coordinate.withoutAltitude, text: CueText.told(text, named: point.name),
            direction: direction)
    }

    /// The turns of a line with the cues in place of the bends near them, the number of cues that lie too far from the line, and
    /// the words of those that say the other side than the line turns to.
    func told(_ turns: [TurnInstruction], on line: [Coordinate])
        -> (turns: [TurnInstruction], far: Int, against: [String])
    {
        guard !cues.isEmpty, let geometry = RouteGeometry(line) else { return (turns, 0, []) }
        var places = CuePlaces(turns)
        var far = 0
        var least = 0.0
        for cue in cues {
            let nearest = geometry.nearest(cue.coordinate)
            guard nearest.distance <= Self.beside else {
                far += 1
                continue
            }
            let passes = geometry.passes(cue.coordinate, within: nearest.distance + GuidanceLimits.tie)
            let along = passes.first { $0.along >= least }?.along ?? nearest.along
            least = along
            guard along > Self.end, along < geometry.length - Self.end else { continue }
            places.tell(cue, at: along, geometry)
        }
        return (Self.measured(places.turns), far, places.against)
    }

    /// The bends of a line, and the cues that are told instead of them. A plan may have thousands of both.
    private struct CuePlaces {
        /// In order of their distance from the start.
        private let bends: [TurnInstruction]
        /// The indexes of those that a cue says: another cue takes none of them.
        private var replaced: Set<Int> = []
        private var told: [TurnInstruction] = []
        /// The words of the cue of each.
        private var words: [String] = []
        /// The words of the cues that say the other side than the bend.
        private(set) var against: [String] = []
        /// The indexes of told cues by their distance in units of `sameBend`.
        private var near: [Int: [Int]] = [:]

        init(_ turns: [TurnInstruction]) { bends = turns }

        /// Tells a cue at a distance from the start instead of the nearest bend that no cue has taken.
        mutating func tell(_ cue: Cue, at along: Double, _ geometry: RouteGeometry) {
            // A route point and a waypoint that say the same of a place are one cue.
            let isSaid = (Self.cell(along) - 1...Self.cell(along) + 1).contains { cell in
                near[cell, default: []].contains {
                    words[$0] == cue.text
                        && abs(told[$0].cumulativeDistance - along) <= PlanCues.sameBend
                }
            }
            if isSaid { return }
            let bend = free(around: along)
            let turn = bend.map { bends[$0] }
            let distance = turn?.cumulativeDistance ?? along
            if let bend { replaced.insert(bend) }
            near[Self.cell(distance), default: []].append(told.count)
            words.append(cue.text)
            if let side = cue.direction?.side, let other = turn?.direction.clearSide, side != other {
                against.append(cue.text)
            }
            // What the author wrote of a place where the line turns says no turn: that is told, too.
            let text =
                cue.direction == nil ? turn.map { "\($0.description): \(cue.text)" } ?? cue.text : cue.text
            told.append(
                TurnInstruction(
                    coordinate: turn?.coordinate ?? cue.coordinate,
                    direction: cue.direction ?? turn?.direction ?? .straight,
                    bearing: turn?.bearing ?? geometry.bearing(at: along), distanceFromPrevious: 0,
                    cumulativeDistance: distance, trailName: turn?.trailName, description: text))
        }

        /// All instructions in order; the start stays first and the arrival last.
        var turns: [TurnInstruction] {
            let start = bends.prefix { $0.direction == .start }
            let arrival = bends.suffix(bends.last?.direction == .arrive ? 1 : 0)
            let inner = bends.indices.dropFirst(start.count).dropLast(arrival.count)
                .filter { !replaced.contains($0) }.map { bends[$0] }
            let ordered = (inner + told).enumerated().sorted {
                ($0.element.cumulativeDistance, $0.offset) < ($1.element.cumulativeDistance, $1.offset)
            }
            return start + ordered.map(\.element) + arrival
        }

        private func free(around along: Double) -> Int? {
            let first = bends.partitionIndex { $0.cumulativeDistance >= along - PlanCues.sameBend }
            return bends.indices.dropFirst(first)
                .prefix { bends[$0].cumulativeDistance <= along + PlanCues.sameBend }
                .filter {
                    bends[$0].direction != .start && bends[$0].direction != .arrive && !replaced.contains($0)
                }
                .min {
                    abs(bends[$0].cumulativeDistance - along) < abs(bends[$1].cumulativeDistance - along)
                }
        }

        private static func cell(_ along: Double) -> Int { Int((along / PlanCues.sameBend).rounded(.down)) }
    }

    /// With the distance of each instruction from the one before.
    private static func measured(_ turns: [TurnInstruction]) -> [TurnInstruction] {
        var before = 0.0
        return turns.map { turn in
            var turn = turn
            turn.distanceFromPrevious = turn.cumulativeDistance - before
            before = turn.cumulativeDistance
            return turn
        }
    }
}

extension TurnDirection {
    /// The side of a turn.
    fileprivate enum Side { case left, right }

    fileprivate var side: Side? {
        switch self {
        case .left, .slightLeft, .sharpLeft: .left
        case .right, .slightRight, .sharpRight: .right
        case .start, .straight, .uTurn, .arrive: nil
        }
    }

    /// The side of a turn that is not slight: the line of a staggered crossing swings to both.
    fileprivate var clearSide: Side? { self == .slightLeft || self == .slightRight ? nil : side }
}
