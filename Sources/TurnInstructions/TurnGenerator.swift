import Geodesy
import PluginKit

/// Generates the turn instructions of a route.
///
/// At each junction the direction over the last 15–50 m before it is compared with that over the first
/// 15–50 m after it. Obvious turns are omitted, and turns within 50 m are merged.
public struct TurnGenerator<Recorder: TraceRecorder> {
    /// The recorder of decisions.
    public internal(set) var trace: Recorder

    let wording: TurnWording
    let thresholds: TurnThresholds

    /// A generator that records its decisions and words them in a language.
    public init(
        trace: Recorder, language: TurnLanguage = .english, thresholds: TurnThresholds = TurnThresholds()
    ) {
        self.trace = trace
        self.thresholds = thresholds
        wording = TurnWording(language: language)
    }

    /// The instructions along a path; the first is `start`, the last `arrive`.
    public mutating func turns(along path: TurnPath) -> [TurnInstruction] {
        guard let first = path.legs.first, let last = path.legs.last else { return [] }
        var path = path
        path.thresholds = thresholds
        let length = path.legs.reduce(0) { $0 + $1.length }
        let setOut = path.leaving(before: 0)
        let arrival = LegBearing.arriving(last.points)
        trace.record(
            TraceStep(
                "start", [("out", .quantity(.degrees(setOut))), ("name", Value(first.name, Value.text))],
                why: "a route begins with its direction"))
        let turns = merged(found(along: path))
        trace.record(
            TraceStep(
                "arrive", [("in", .quantity(.degrees(arrival))), ("along", .quantity(.metres(length)))],
                why: "a route ends with its arrival"))
        return instructions(turns, first: first, last: last, length: length, setOut: setOut, arrival: arrival)
    }

    func instructions(
        _ turns: [FoundTurn], first: TurnLeg, last: TurnLeg, length: Double, setOut: Double, arrival: Double
    ) -> [TurnInstruction] {
        guard let from = first.points.first, let to = last.points.last else { return [] }
        var all = [
            TurnInstruction(
                coordinate: from.withoutAltitude, direction: .start, bearing: setOut, distanceFromPrevious: 0,
                cumulativeDistance: 0, trailName: first.name,
                description: wording.start(bearing: setOut, leg: first))
        ]
        var previous = 0.0
        for turn in turns {
            all.append(
                TurnInstruction(
                    coordinate: turn.at.withoutAltitude,
                    direction: turn.isAnnounced ? turn.direction : .straight,
                    bearing: turn.outgoing,
                    distanceFromPrevious: turn.along - previous, cumulativeDistance: turn.along,
                    trailName: turn.members.isEmpty ? turn.name : turn.members.last?.name,
                    description: wording.text(turn)))
            previous = turn.along
        }
        all.append(
            TurnInstruction(
                coordinate: to.withoutAltitude, direction: .arrive, bearing: arrival,
                distanceFromPrevious: length - previous, cumulativeDistance: length, trailName: last.name,
                description: wording.arrive))
        return all
    }

    // MARK: Finding

    private mutating func found(along path: TurnPath) -> [FoundTurn] {
        let identities = WayIdentity.of(path)
        let trails = TrailChanges(path)
        var turns: [FoundTurn] = []
        var announced: TurnPath.AnnouncedTurn?
        var aside: TurnPath.Aside?
        var along = 0.0
        var index = 0
        while index < path.legs.count - 1 {
            along += path.legs[index].length
            if let exit = roundaboutExit(path, entering: index) {
                turns.append(
                    roundabout(path, entering: index, leaving: exit, along: along, identities))
                for passed in index + 1..<exit { along += path.legs[passed].length }
                index = exit
                continue
            }
            if aside.map({ $0.end < index }) ?? true {
                let departure = path.departure(before: index + 1)
                aside = departure.across.map { .init(junction: index, end: $0, outgoing: departure.bearing) }
            }
            if let turn = junction(path, after: index, along: along, announced, aside, identities, trails) {
                turns.append(turn)
                if turn.isAnnounced { announced = .init(junction: index, outgoing: turn.outgoing) }
            }
            index += 1
        }
        return turns
    }

    /// The turn at the junction after a leg, if it is announced.
    private mutating func junction(
        _ path: TurnPath, after index: Int, along: Double, _ announced: TurnPath.AnnouncedTurn?,
        _ aside: TurnPath.Aside?,
        _ identities: [WayIdentity], _ trails: TrailChanges
    ) -> FoundTurn? {
        let context = TurnContext(
            incoming: path.legs[index], outgoing: path.legs[index + 1], before: identities[index],
            after: identities[index + 1], junction: path.junctions[index], thresholds: thresholds)
        guard let at = context.outgoing.points.first else { return nil }
        let (before, after) = (context.before, context.after)
        var turn = FoundTurn(
            at: at, along: along,
            incoming: aside?.incoming(after: index) ?? path.arriving(after: index, announced),
            outgoing: aside?.outgoing(after: index)
                ?? path.departure(before: index + 1, isReversal: aside?.end == index).bearing,
            name: after.name,
            kind: context.outgoing.kind,
            staysOn: before == after, leavesName: before.name != nil && after.name == nil,
            isAscent: context.outgoing.isAscent, thresholds: thresholds)
        if turn.staysOn, context.outgoing.kind?.isAlwaysAnnounced == true,
            context.outgoing.kind != context.incoming.kind
        {
            turn.staysOn = false
            turn.name = nil
        }
        turn.landmark = TurnRules.landmark(delta: turn.delta, bearing: turn.incoming, context)
        turn.keepsTo = TurnRules.side(turn, context.junction)
        turn.via = context.junction.via
        turn.hasLift = context.junction.hasLift
        var verdict = TurnRules.verdict(turn, context)
        (turn.joinsTrail, turn.leavesTrail) = trails.change(after: index)
        if !verdict.isAnnounced, let trail = turn.joinsTrail ?? turn.leavesTrail {
            let word = turn.joinsTrail == nil ? "end" : "begin"
            verdict = TurnRules.Verdict(
                isAnnounced: true, why: "the waymarks of \(trail.title(.english)) \(word) here")
        }
        turn.isAnnounced = verdict.isAnnounced
        let isVia = turn.via != nil
        record(
            turn, context.junction, outcome: verdict.isAnnounced || isVia ? "announced" : "dropped",
            why: isVia && !verdict.isAnnounced ? "a via point is reached here" : verdict.why)
        return verdict.isAnnounced || isVia ? turn : nil
    }

    /// The first leg of a roundabout that begins after a leg; `nil` if there is none, or its exit is
    /// missing.
    private func roundaboutExit(_ path: TurnPath, entering index: Int) -> Int? {
        guard !path.legs[index].isRoundabout, path.legs[index + 1].isRoundabout else { return nil }
        return path.legs.indices.dropFirst(index + 1).first { !path.legs[$0].isRoundabout }
    }

    private mutating func roundabout(
        _ path: TurnPath, entering index: Int, leaving exit: Int, along: Double, _ identities: [WayIdentity]
    ) -> FoundTurn {
        var turn = FoundTurn(
            at: path.legs[index + 1].points.first ?? Coordinate(latitude: 0, longitude: 0), along: along,
            incoming: LegBearing.arriving(path.legs[index].points),
            outgoing: LegBearing.leaving(path.legs[exit].points), name: path.legs[exit].name,
            kind: path.legs[exit].kind, staysOn: identities[index] == identities[exit],
            leavesName: identities[index].name != nil && identities[exit].name == nil,
            thresholds: thresholds)
        turn.landmark = .roundabout(exit: number(of: exit, path, entering: index))
        record(turn, path.junctions[index], outcome: "announced", why: "a roundabout is one instruction")
        return turn
    }

    /// The number of an exit among the roads by which vehicles leave a roundabout; `nil` for a path, which lies between two of
    /// them. A road that only leads in counts as the exit of its name beside it. Where the roundabout is a path, all count.
    private func number(of exit: Int, _ path: TurnPath, entering index: Int) -> Int? {
        let isPath = path.legs[index + 1].roadRank == 0
        let passed = path.junctions[index + 1..<exit - 1].flatMap(\.exits).filter {
            !$0.isRoundabout && ($0.leadsOut || isPath)
        }
        let taken = path.legs[exit]
        if taken.leadsOut || isPath { return passed.count + 1 }
        guard taken.roadRank > 0 else { return nil }
        return taken.name != nil && passed.last?.name == taken.name ? passed.count : passed.count + 1
    }

    private mutating func record(_ turn: FoundTurn, _ junction: TurnJunction, outcome: String, why: String) {
        trace.record(
            TraceStep(
                "junction",
                [
                    ("at", .coordinate(turn.at.withoutAltitude)), ("along", .quantity(.metres(turn.along))),
                    ("in", .quantity(.degrees(turn.incoming))), ("out", .quantity(.degrees(turn.outgoing))),
                    ("delta", .quantity(.degrees(turn.delta))), ("class", .text(turn.direction.rawValue)),
                    ("exits", .integer(junction.exits.count)),
                    ("others", .list(junction.exits.map { .quantity(.degrees($0.bearing)) })),
                    ("name", Value(turn.name, Value.text)),
                    ("landmark", .text(turn.landmark.word)), ("outcome", .text(outcome)),
                ], why: why))
    }

    // MARK: Merging

    /// Two turns near each other that are one action for a walker: the two carriageways of a road that is crossed, the
    /// crossing of one carriageway before the turn onto the other, going on twice. `nil` if they are two.
    private static func oneOf(_ first: FoundTurn, _ second: FoundTurn) -> FoundTurn? {
        guard first.members.isEmpty, !first.standsAlone, !second.standsAlone else { return nil }
        let isSameRoad: Bool
        if case .crossing(let road) = first.landmark {
            isSameRoad =
                first.landmark == second.landmark || road != nil && road == second.name && !second.staysOn
        } else {
            isSameRoad = false
        }
        let goesOn =
            first.saysOnlyToGoOn || first.wouldSayOnlyToGoOn && !second.staysOn
        guard isSameRoad || goesOn && second.direction == .straight else { return nil }
        var one = second
        (one.at, one.along) = (first.at, first.along)
        one.joinsTrail = second.joinsTrail ?? first.joinsTrail
        one.leavesTrail = one.joinsTrail == nil ? second.leavesTrail ?? first.leavesTrail : nil
        return one
    }

    /// Merges every turn within 50 m into the one before. Both are at the position of the first, with its
    /// direction, and the text names both; a third begins a new instruction.
    mutating func merged(_ turns: [FoundTurn]) -> [FoundTurn] {
        var kept: [FoundTurn] = []
        let spacing = thresholds.spacing
        for turn in turns {
            if let last = kept.last, turn.along - last.along < spacing,
                let one = Self.oneOf(last, turn)
            {
                recordMerge(one, gap: turn.along - last.along, why: "both are one action")
                kept[kept.count - 1] = one
                continue
            }
            guard let last = kept.last, turn.along - last.along < spacing, last.members.isEmpty,
                !last.standsAlone, !turn.standsAlone
            else {
                kept.append(turn)
                continue
            }
            var both = last
            both.members = [last, turn]
            recordMerge(
                both, gap: turn.along - last.along,
                why:
                    "less than \(Literal.quantity(.metres(spacing))) apart: the first stays and describes both"
            )
            kept[kept.count - 1] = both
        }
        return kept
    }

    private mutating func recordMerge(_ turn: FoundTurn, gap: Double, why: String) {
        let wording = wording
        trace.record(
            TraceStep(
                "merge",
                [
                    ("at", .coordinate(turn.at.withoutAltitude)), ("along", .quantity(.metres(turn.along))),
                    ("gap", .quantity(.metres(gap))), ("text", .text(wording.text(turn))),
                    ("outcome", .text("merged")),
                ], why: why))
    }
}

/// The starts and ends of trail waymarks along a path. Trails followed only briefly are ignored.
struct TrailChanges {
    /// For each leg the trail that is followed there.
    private let followed: [TrailMark?]

    init(_ path: TurnPath) {
        var followed: [TrailMark?] = []
        var current: TrailMark?
        for (index, leg) in path.legs.enumerated() {
            if let trail = current, leg.trails.contains(trail) {
                followed.append(trail)
                continue
            }
            current = leg.trails.first {
                Self.length(of: $0, path, from: index) >= TurnSettings.shortestTrail
            }
            followed.append(current)
        }
        self.followed = followed
    }

    private static func length(of trail: TrailMark, _ path: TurnPath, from index: Int) -> Double {
        var length = 0.0
        for leg in path.legs[index...] {
            guard leg.trails.contains(trail), length < TurnSettings.shortestTrail else { break }
            length += leg.length
        }
        return length
    }

    /// The trail that begins after a leg, and the one that ends there.
    func change(after index: Int) -> (joins: TrailMark?, leaves: TrailMark?) {
        let (before, after) = (followed[index], followed[index + 1])
        return before == after ? (nil, nil) : (after, after == nil ? before : nil)
    }
}
