import CivilTime
import Formats
import Geodesy
import PluginKit
import TurnInstructions

/// The cues that the author of a plan wrote at its points: they are told instead of the bends there.
struct PlanCues {
    /// What is told at a place.
    struct Cue: Sendable, Hashable {
        let coordinate: Coordinate
        let text: String
        /// The turn that its words surely say; `nil` if they say none: then the bend there decides.
        let direction: TurnDirection?
        /// Whether it says the way through a roundabout, at whose bends nobody turns that way.
        var isRoundabout = false
        /// Whether its kind or symbol says the other side than its words.
        var contradictsItself = false
        /// Metres from the start of the file's ways, where the file says which pass of the place is meant.
        var along: Double?
    }

    /// What a point with words is.
    private enum Source {
        /// A place beside the way, unless it says a turn.
        case place
        /// A point of a route.
        case routePoint
        /// A point of a course, whose kind says something, too.
        case coursePoint
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
        let isCourse = file.format == .tcx || file.lines.contains(where: \.isPlan)
        let hasTracks = !document.tracks.isEmpty
        let line = PlanLine(hasTracks ? document.tracks : document.routes)
        var cues = document.waypoints.compactMap { point in
            // The times of other waypoints are those at which they were written.
            Self.cue(
                point, isCourse ? .coursePoint : .place, along: isCourse ? line.along(at: point.time) : nil)
        }
        if hasTracks {
            for route in document.routes {
                cues += route.segments.joined().compactMap { Self.cue($0, .routePoint) }
            }
        }
        // Some planners write the turns into the points of the track.
        cues += line.points.indices.lazy.filter { line.points[$0].hasWords }.compactMap {
            Self.cue(line.points[$0], hasTracks ? .place : .routePoint, along: line.along[$0])
        }
        self.cues = cues
    }

    private static func cue(_ point: GPXPoint, _ source: Source, along: Double? = nil) -> Cue? {
        let words = [point.description, point.comment, point.name].compactMap(\.self).map(CueText.plain)
        let code = point.extensions.flatMap(CueText.code)
        let said =
            code.flatMap(TurnWords.coded)
            ?? [point.type, point.symbol, point.name].compactMap(\.self).compactMap(TurnWords.only).first
        // The description of a place is about what is there.
        let spoken = source == .place ? [point.name].compactMap(\.self).map(CueText.plain) : words
        let exit = code.flatMap(TurnWords.exit)
        let isRoundabout = exit != nil || words.contains(where: TurnWords.isRoundabout)
        let inWords = spoken.lazy.compactMap(TurnWords.among).first
        let direction = said ?? (isRoundabout ? nil : inWords)
        // Points that a program numbered say nothing, and a waypoint is a place unless it says a turn.
        let text =
            words.first(where: TurnWords.isSaying) ?? direction.map(RejoinWording.verb)
            ?? exit.map { "At the roundabout, take exit \($0)" }
            ?? (source == .coursePoint ? point.type.flatMap(CueText.kind) : nil)
        guard let text, source != .place || direction != nil || exit != nil else { return nil }
        var cue = Cue(
            coordinate: point.coordinate.withoutAltitude,
            text: CueText.told(text, turn: isRoundabout ? nil : direction), direction: direction)
        cue.isRoundabout = isRoundabout
        cue.contradictsItself =
            !isRoundabout && direction?.side != nil
            && TurnWords.among(text).flatMap(\.side).map { $0 != direction?.side } ?? false
        cue.along = along
        return cue
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
            let along = places.pass(of: cue, nearest: nearest, after: least, geometry)
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

        /// The distance from the start at which a cue is told, whose place the line may pass several times: there and back, or where
        /// it crosses itself.
        func pass(
            of cue: Cue, nearest: RouteMatch, after least: Double, _ geometry: RouteGeometry
        ) -> Double {
            let passes = geometry.passes(cue.coordinate, within: PlanCues.beside)
            if let said = cue.along,
                geometry.coordinate(at: said).distance(to: cue.coordinate) <= PlanCues.beside
            {
                return passes.min { abs($0.along - said) < abs($1.along - said) }?.along ?? nearest.along
            }
            // That at which the line turns as the cue says, and no other cue is told; the next one of equals.
            func cost(_ pass: RouteMatch) -> (Int, Int, Double) {
                let isFar = pass.distance > nearest.distance + GuidanceLimits.tie
                return (
                    disagreement(cue, at: pass.along) + (isFar ? 1 : 0), pass.along >= least ? 0 : 1,
                    pass.along
                )
            }
            return passes.min { cost($0) < cost($1) }?.along ?? nearest.along
        }

        /// How little the turn of a cue fits a place: 0 if the line turns to its side there, 2 if clearly to the other.
        private func disagreement(_ cue: Cue, at along: Double) -> Int {
            guard !cue.isRoundabout, let side = cue.direction?.side else { return 0 }
            guard let bend = free(around: along), let other = bends[bend].direction.side else { return 1 }
            return other == side ? 0 : bends[bend].direction.clearSide == nil ? 1 : 2
        }

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
            let through = cue.isRoundabout ? roundabout(around: distance, geometry) : nil
            let isAgainst =
                !cue.isRoundabout && cue.direction?.side != nil && turn?.direction.clearSide != nil
                && cue.direction?.side != turn?.direction.clearSide
            if isAgainst || cue.contradictsItself { against.append(cue.text) }
            let here = through ?? turn?.direction
            // What the author wrote of a place where the line turns says no turn: that is told, too.
            let text =
                cue.direction == nil && !cue.isRoundabout
                ? turn.map { "\($0.description): \(cue.text)" } ?? cue.text : cue.text
            told.append(
                TurnInstruction(
                    coordinate: turn?.coordinate ?? cue.coordinate,
                    direction: (cue.contradictsItself ? turn?.direction : nil) ?? cue.direction ?? here
                        ?? .straight,
                    bearing: turn?.bearing ?? geometry.bearing(at: along), distanceFromPrevious: 0,
                    cumulativeDistance: distance, trailName: turn?.trailName, description: text))
        }

        /// The turn from before a roundabout to behind it, whose bends are told with its cue.
        private mutating func roundabout(around start: Double, _ geometry: RouteGeometry) -> TurnDirection {
            let end = Roundabout.end(from: start, geometry)
            for bend in bends.indices
            where bends[bend].direction != .arrive && bends[bend].cumulativeDistance > start
                && bends[bend].cumulativeDistance <= end
            {
                replaced.insert(bend)
            }
            return Roundabout.direction(from: start, to: end, geometry)
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
