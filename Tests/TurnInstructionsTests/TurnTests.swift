import Geodesy
import PluginKit
import Testing

@testable import TurnInstructions

/// Paths are drawn on a plane of metres around one place, so that every angle is known by construction.
@Suite struct TurnTests {
    // The table of the guide: 0–15 straight, 15–45 slight, 45–135 turn, 135–170 sharp, 170–180 U-turn.
    @Test(arguments: [
        (0.0, TurnDirection.straight), (14.9, .straight), (-14.9, .straight), (15, .slightRight),
        (-15, .slightLeft), (44.9, .slightRight), (45, .right), (-45, .left), (134.9, .right),
        (135, .sharpRight), (-135, .sharpLeft), (169.9, .sharpRight), (170, .uTurn), (-170, .uTurn),
        (180, .uTurn),
    ])
    func classes(delta: Double, expected: TurnDirection) {
        #expect(TurnDirection(delta: delta) == expected)
    }

    @Test(arguments: [
        (30.0, "Bear right onto B at the fork"), (-30, "Bear left onto B"), (90, "Turn right onto B"),
        (-100, "Turn left onto B"), (150, "Sharp right onto B"), (-150, "Sharp left onto B"),
        (180, "U-turn onto B"), (5, "Continue straight onto B"),
    ])
    func words(delta: Double, expected: String) {
        // A further way leaves at 40° to the right, which makes a fork of what leads ahead.
        let exits = expected.hasSuffix("fork") ? [40.0] : [160]
        let turns = Plane.turns([("A", 0, 200), ("B", delta, 200)], exits: [exits])
        #expect(turns.map(\.description) == ["Head north on A", expected, "Arrive"])
    }

    @Test func startAndArrivalOfAStraightWay() {
        let turns = Plane.turns([("A", 45, 300)])
        #expect(turns.map(\.direction) == [.start, .arrive])
        #expect(turns[0].description == "Head northeast on A")
        #expect(turns[0].distanceFromPrevious == 0)
        #expect(abs(turns[1].cumulativeDistance - 300) < 0.1)
        #expect(turns[1].distanceFromPrevious == turns[1].cumulativeDistance)
    }

    @Test func straightOnIsDroppedUnlessTheNameChanges() {
        #expect(Plane.directions([("A", 0, 100), ("A", 10, 100)], exits: [[90]]) == [])
        #expect(Plane.directions([("A", 0, 100), ("B", 10, 100)], exits: [[90]]) == [.straight])
        // Leaving a named way is always announced.
        let left = Plane.turns([("A", 0, 100), (nil, 10, 100)], exits: [[90]])
        #expect(left[1].description == "Continue straight onto the unnamed way")
    }

    @Test func anObviousBendOfAnUnnamedPathIsNotTold() {
        #expect(Plane.directions([(nil, 0, 100), (nil, 90, 100)], exits: [[]]) == [])
        #expect(Plane.directions([(nil, 0, 100), (nil, 90, 100)], exits: [[-90]]) == [.right])
    }

    @Test func aSlightBendOfANamedWayIsNotToldUnlessItIsAFork() {
        #expect(Plane.directions([("A", 0, 100), ("A", 30, 100)], exits: [[-90]]) == [])
        #expect(Plane.directions([("A", 0, 100), ("A", 30, 100)], exits: [[-30]]) == [.slightRight])
        #expect(Plane.directions([("A", 0, 100), ("A", 50, 100)], exits: [[-90]]) == [.right])
        #expect(Plane.directions([(nil, 0, 100), (nil, 30, 100)], exits: [[-90]]) == [.slightRight])
    }

    @Test func twoWaysAheadAreAFork() {
        let turns = Plane.turns([(nil, 0, 100), (nil, -20, 100)], exits: [[20]])
        #expect(turns[1].description == "Bear left at the fork")
        let straight = Plane.turns([(nil, 0, 100), (nil, 5, 100)], exits: [[-10]])
        #expect(straight[1].description == "Keep right at the fork")
        let between = Plane.turns([(nil, 0, 100), (nil, 0, 100)], exits: [[-10, 10]])
        #expect(between[1].description == "Continue straight at the fork")
    }

    @Test func aWayThatEndsIsSaidSo() {
        let named = Plane.turns([("Talweg", 0, 100), ("Höhenweg", 90, 100)], exits: [[-90]])
        #expect(named[1].description == "Turn right onto Höhenweg at the end of Talweg")
        let unnamed = Plane.turns([(nil, 0, 100), (nil, -90, 100)], exits: [[85]])
        #expect(unnamed[1].description == "Turn left at the end of the way")
        // The way goes on: it does not end.
        let on = Plane.turns([(nil, 0, 100), (nil, -90, 100)], exits: [[85, 3]])
        #expect(on[1].description == "Turn left")
    }

    @Test func turnsNearerThan50MetresAreMerged() {
        let turns = Plane.turns(
            [("A", 0, 200), (nil, -80, 30), ("C", 0, 200)], exits: [[80], [-80]])
        #expect(turns.map(\.description) == ["Head north on A", "Turn left, then right onto C", "Arrive"])
        #expect(turns[1].trailName == "C")
        let apart = Plane.turns([("A", 0, 200), (nil, -80, 60), ("C", 0, 200)], exits: [[80], [-80]])
        #expect(apart.count == 4)
    }

    @Test func aMergedPairStandsAtItsFirstTurnWithItsArrow() {
        let turns = Plane.turns([("A", 0, 200), ("B", 30, 40), ("C", 140, 200)], exits: [[-90], [-90]])
        #expect(turns[1].direction == .slightRight)
        #expect(abs(turns[1].cumulativeDistance - 200) < 0.5)
        #expect(turns[1].description == "Bear right, then turn right onto C")
        #expect(turns[1].trailName == "C")
    }

    @Test func atMostTwoAreMerged() {
        let turns = Plane.turns(
            [("A", 0, 200), ("B", 90, 20), ("C", 0, 20), ("D", 90, 200)], exits: [[-90], [45], [-45]])
        #expect(
            turns.map(\.description) == [
                "Head north on A", "Turn right, then left onto C", "Turn right onto D at the end of C",
                "Arrive",
            ])
    }

    @Test func kinksNearTheJunctionDoNotMatter() {
        // The way wriggles 3 m to the side in the last 10 m; over 15–50 m it goes straight on.
        let here = Plane.origin
        let bend = Plane.line(here, [(0, 100), (20, 5), (-20, 5)])
        let after = Plane.line(bend[bend.count - 1], [(40, 5), (-2, 100)])
        let turns = Plane.generate([TurnLeg(bend), TurnLeg(after)], exits: [[90]])
        #expect(turns.count == 2)
    }

    @Test func turningBackAtAPlaceIsAUTurn() {
        let out = Plane.line(Plane.origin, [(90, 120)])
        let turns = Plane.generate(
            [TurnLeg(out, name: "A"), TurnLeg(out.reversed(), name: "A")], exits: [[]])
        #expect(turns.map(\.description) == ["Head east on A", "U-turn", "Arrive"])
    }

    @Test func legsWithoutLengthArePassedOver() {
        let first = Plane.line(Plane.origin, [(0, 100)])
        let corner = first[first.count - 1]
        let second = Plane.line(corner, [(90, 100)])
        let turns = Plane.generate(
            [TurnLeg(first), TurnLeg([corner, corner]), TurnLeg(second)], exits: [[], [-90]])
        #expect(turns.map(\.direction) == [.start, .right, .arrive])
    }

    @Test func aRouteToWhereOneIsHasTwoInstructions() {
        let turns = Plane.generate([TurnLeg([Plane.origin, Plane.origin])], exits: [])
        #expect(turns.map(\.direction) == [.start, .arrive])
        #expect(turns[1].cumulativeDistance == 0)
    }

    private func leg(
        _ from: Coordinate, _ bearing: Double, _ length: Double, _ name: String? = nil,
        _ kind: WayKind? = nil,
        rank: Int = 0, trails: [TrailMark] = [], heights: (Double, Double)? = nil
    ) -> TurnLeg {
        var points = Plane.line(from, [(bearing, length)])
        if let heights {
            points[0].altitude = heights.0
            points[points.count - 1].altitude = heights.1
        }
        return TurnLeg(points, name: name, kind: kind, roadRank: rank, trails: trails)
    }

    private func words(_ legs: [TurnLeg], _ junctions: [TurnJunction], _ language: TurnLanguage = .english)
        -> [String]
    {
        var generator = TurnGenerator(trace: NoTrace(), language: language)
        return generator.turns(along: TurnPath(legs: legs, junctions: junctions)).map(\.description)
    }

    @Test func whereThereIsNoNameTheKindOfWayIsTold() {
        let first = leg(Plane.origin, 0, 200, "A", .road)
        let path = leg(first.points[first.points.count - 1], 0, 200, nil, .path)
        let track = leg(path.points[path.points.count - 1], 0, 200, nil, .track)
        let up = leg(
            track.points[track.points.count - 1], 90, 30, nil, .steps, heights: (500, 510))
        let exits = TurnJunction(exits: [.init(bearing: 270)])
        #expect(
            words([first, path, track, up], [TurnJunction(), TurnJunction(), exits]) == [
                "Head north on A", "Continue straight onto the path", "Continue straight onto the track",
                "Turn right up the steps at the end of the way", "Arrive",
            ])
    }

    @Test func aShortGapInANamedWayIsNotAChange() {
        let first = leg(Plane.origin, 0, 200, "A", .road)
        let gap = leg(first.points[first.points.count - 1], 0, 20, nil, .path)
        let second = leg(gap.points[gap.points.count - 1], 0, 200, "A", .road)
        #expect(words([first, gap, second], []) == ["Head north on A", "Arrive"])
        let wide = leg(first.points[first.points.count - 1], 0, 80, nil, .path)
        let later = leg(wide.points[wide.points.count - 1], 0, 200, "A", .road)
        #expect(
            words([first, wide, later], []) == [
                "Head north on A", "Continue straight onto the path", "Continue straight onto A", "Arrive",
            ])
    }

    /// A street in Vaduz: right, left after 25 m, and a way that leaves 13 m after the corner. The bearing
    /// before that junction must not extend across the corner, or the left turn is announced again after
    /// it.
    @Test func aTurnIsNotToldAgainAtTheNextJunction() {
        let places = [
            (47.166401, 9.508603), (47.165535, 9.508033), (47.165342, 9.507943), (47.165367, 9.507886),
            (47.165436, 9.507573), (47.165398, 9.507562), (47.165315, 9.507523), (47.165156, 9.507451),
            (47.164500, 9.507154),
        ].map { Coordinate(latitude: $0.0, longitude: $0.1) }
        let legs = [0...2, 2...4, 4...6, 6...8].map { TurnLeg(Array(places[$0])) }
        let turns = Plane.generate(legs, exits: [[198], [290], [285]])
        #expect(turns.map(\.direction) == [.start, .right, .arrive])
        #expect(turns[1].description.hasPrefix("Turn right, then left"))
    }

    /// Two turns to the same side close to each other are both announced, and together make the whole
    /// change of direction.
    @Test func twoTurnsToOneSideAreNotThree() {
        let turns = Plane.turns(
            [("A", 0, 200), (nil, 90, 12), ("C", 180, 200)], exits: [[0], [90]])
        #expect(turns.count == 3)
        #expect(turns[1].direction == .right || turns[1].direction == .sharpRight)
        #expect(turns[1].description.hasSuffix("onto C"))
    }

    @Test func aJogAcrossAJunctionIsNothing() {
        // The ways meet the crossed street 4 m apart: over 15 m along the path one goes straight on.
        let first = leg(Plane.origin, 0, 200, nil, .path)
        let jog = leg(first.points[first.points.count - 1], 60, 4, nil, .path)
        let second = leg(jog.points[jog.points.count - 1], 0, 200, nil, .path)
        let street = TurnJunction(exits: [.init(bearing: 270)])
        #expect(words([first, jog, second], [street, street]) == ["Head north", "Arrive"])
    }

    @Test func aHookOfThreeMetresIsNothing() {
        // The way is drawn to the middle of another, 3 m back along that one, and on: 184°, 345°, 205°.
        let first = leg(Plane.origin, 184, 200, "A", .path)
        let hook = leg(first.points[first.points.count - 1], 345, 3, "Hill Road", .road)
        let on = leg(hook.points[hook.points.count - 1], 190, 200, "A", .path)
        let other = leg(hook.points[hook.points.count - 1], 205, 200, "B", .path)
        let road = TurnJunction(exits: [.init(bearing: 155), .init(bearing: 342)])
        #expect(words([first, hook, on], [road, road]) == ["Head south on A", "Arrive"])
        #expect(
            words([first, hook, other], [road, road]) == [
                "Head south on A", "Bear right onto B at the fork", "Arrive",
            ])
        // Behind a leg that is too short for a bearing of its own, too.
        let before = leg(Plane.origin, 274, 200, "A", .path)
        let short = leg(before.points[before.points.count - 1], 184, 10, "A", .path)
        let jog = leg(short.points[short.points.count - 1], 345, 3, "Hill Road", .road)
        let after = leg(jog.points[jog.points.count - 1], 190, 200, "A", .path)
        let way = TurnJunction(exits: [.init(bearing: 90)])
        let turns = words([before, short, jog, after], [way, road, road])
        #expect(!turns.contains { $0.contains("harp") }, "\(turns)")
        // 20 m along the other way are no hook.
        let far = leg(first.points[first.points.count - 1], 345, 20, "Hill Road", .road)
        let back = leg(far.points[far.points.count - 1], 205, 200, "B", .path)
        #expect(
            words([first, far, back], [road, road]) == [
                "Head south on A", "Sharp right, then sharp left onto B", "Arrive",
            ])
    }

    @Test func whatAPieceAsideConsistsOfIsNoTurn() {
        // 4 m of steps and 5 m of path aside, between turns of 65° that reverse each other, and a third turn: one goes straight on,
        // then left.
        let first = leg(Plane.origin, 336, 100, nil, .path)
        let steps = leg(first.points[first.points.count - 1], 41, 4, nil, .steps)
        let path = leg(steps.points[steps.points.count - 1], 41, 5, nil, .path)
        let on = leg(path.points[path.points.count - 1], 336, 6, nil, .path)
        let last = leg(on.points[on.points.count - 1], 246, 100, "Street", .road)
        let bend = TurnJunction()
        let end = TurnJunction(exits: [.init(bearing: 66)])
        var generator = TurnGenerator(trace: NoTrace())
        let turns = generator.turns(
            along: TurnPath(legs: [first, steps, path, on, last], junctions: [bend, bend, bend, end]))
        let told = turns.dropFirst().dropLast()
        #expect(told.map(\.direction).allSatisfy { [.straight, .slightRight, .left].contains($0) })
        #expect(told.last?.description.contains("left onto Street") == true)
    }

    @Test func oneTurnBehindAShortPieceIsOneTurn() {
        // A path begins 14 m before the turn of 121° and goes straight on until then.
        let steps = leg(Plane.origin, 303, 100, nil, .steps)
        let path = leg(steps.points[steps.points.count - 1], 303, 14, nil, .path)
        let avenue = leg(path.points[path.points.count - 1], 64, 100, "Avenue", .road)
        let bend = TurnJunction()
        let end = TurnJunction(exits: [.init(bearing: 244, name: "Avenue")])
        #expect(
            words([steps, path, avenue], [bend, end]) == [
                "Head northwest", "Continue straight, then turn right onto Avenue", "Arrive",
            ])
        // Where nothing changes before it, it stands at its own place.
        let same = leg(Plane.origin, 303, 100, nil, .path)
        var generator = TurnGenerator(trace: NoTrace())
        let alone = generator.turns(
            along: TurnPath(
                legs: [same, path, avenue], junctions: [TurnJunction(exits: [.init(bearing: 30)]), end]))
        #expect(alone.dropFirst().dropLast().map { $0.cumulativeDistance.rounded() } == [114])
    }

    /// What the map says comes before heights of the ground, which are no heights of steps where they hardly differ.
    @Test(
        arguments: [
            (nil, 510, "up the steps"), (nil, 490, "down the steps"), (nil, 501, "onto the steps"),
            (true, 499, "up the steps"), (false, 510, "down the steps"),
        ] as [(Bool?, Double, String)])
    func stepsLeadUpOrDown(ascends: Bool?, height: Double, expected: String) {
        let first = leg(Plane.origin, 0, 200, nil, .path)
        var steps = leg(
            first.points[first.points.count - 1], 0, 30, nil, .steps, heights: (500, height))
        steps.ascends = ascends
        #expect(words([first, steps], [TurnJunction()])[1] == "Continue straight \(expected)")
    }

    /// "Bear right, then bear left" alone is not found again on a map.
    @Test(arguments: [
        ([100.0], "Bear right, then bear left to stay on the path"),
        ([350.0], "Bear right at the fork, then bear left"),
    ])
    func twoTurnsOnAPathSayWhereTheyAre(exits: [Double], expected: String) {
        let first = leg(Plane.origin, 0, 200, nil, .path)
        let second = leg(first.points[first.points.count - 1], 30, 30, nil, .path)
        let third = leg(second.points[second.points.count - 1], 0, 200, nil, .path)
        let junctions = [exits, [150]].map { TurnJunction(exits: $0.map { .init(bearing: $0) }) }
        #expect(words([first, second, third], junctions) == ["Head north", expected, "Arrive"])
    }

    @Test func aCorridorIsNoPath() {
        let outside = leg(Plane.origin, 0, 200, nil, WayKind(highway: "footway"))
        let inside = leg(outside.points[outside.points.count - 1], 90, 200, nil, WayKind(highway: "corridor"))
        #expect(words([outside, inside], [TurnJunction()])[1] == "Turn right along the corridor")
    }

    @Test func stepsAreToldAlthoughAnotherTurnFollowsAtOnce() {
        let square = leg(Plane.origin, 0, 200, "Corn Square", .road)
        let steps = leg(square.points[square.points.count - 1], -90, 30, nil, .steps)
        let path = leg(steps.points[steps.points.count - 1], -90, 200, nil, .path)
        let corner = TurnJunction(exits: [.init(bearing: 0), .init(bearing: 90)])
        #expect(
            words([square, steps, path], [corner, TurnJunction()]) == [
                "Head north on Corn Square",
                "Turn left onto the steps, then continue straight onto the path",
                "Arrive",
            ])
    }

    @Test func goingOnTwiceIsToldOnce() {
        let street = leg(Plane.origin, 0, 200, "High Street", .road)
        let path = leg(street.points[street.points.count - 1], 0, 20, nil, .path)
        let market = leg(path.points[path.points.count - 1], 0, 200, "Market", .road)
        let corner = TurnJunction(exits: [.init(bearing: 90), .init(bearing: 270)])
        #expect(
            words([street, path, market], [corner, corner])
                == ["Head north on High Street", "Continue straight onto Market", "Arrive"])
    }

    @Test func aLargerRoadThatIsCrossedIsTold() {
        let first = leg(Plane.origin, 0, 200, nil, .path)
        let second = leg(first.points[first.points.count - 1], 0, 200, nil, .path)
        func crossing(_ rank: Int) -> TurnJunction {
            TurnJunction(exits: [
                .init(bearing: 90, name: "Main Road", roadRank: rank), .init(bearing: 270, roadRank: rank),
            ])
        }
        #expect(words([first, second], [crossing(2)]) == ["Head north", "Cross Main Road", "Arrive"])
        #expect(words([first, second], [crossing(1)]) == ["Head north", "Arrive"])
    }

    /// From the pavement on one side to that on the other: two short pieces aside, over the middle of the road.
    @Test func aRoadThatIsCrossedFromPavementToPavementIsTold() {
        let near = leg(Plane.origin, 90, 100, nil, .path)
        func aside(_ before: TurnLeg) -> TurnLeg {
            leg(before.points[before.points.count - 1], 180, 5, nil, .path)
        }
        let (half, whole) = (aside(near), aside(aside(near)))
        let far = leg(whole.points[whole.points.count - 1], 90, 100, nil, .path)
        let middle = TurnJunction(exits: [
            .init(bearing: 90, name: "Main Road", roadRank: 3), .init(bearing: 270, roadRank: 3),
        ])
        let told = words([near, half, whole, far], [TurnJunction(), middle, TurnJunction()])
        #expect(told == ["Head east", "Cross Main Road", "Arrive"])
    }

    @Test func aWayOfTwoNamesIsStillTheOneBefore() {
        let legs: [(String?, Double, Double)] = [("A", 0, 100), ("A / B", 0, 100), ("B", 0, 100)]
        let turns = Plane.turns(legs, exits: [[90], [90]])
        #expect(turns.map(\.description) == ["Head north on A", "Continue straight onto B", "Arrive"])
        let onto = Plane.turns([("C", 0, 100), ("A / B", 0, 100)], exits: [[90]])
        #expect(onto[1].description == "Continue straight onto A / B")
    }

    @Test func viaPointsAreTold() {
        let first = leg(Plane.origin, 0, 200, "A", .path)
        let on = leg(first.points[first.points.count - 1], 0, 200, "A", .path)
        let hut = TurnJunction(via: .init(number: 1, name: "Hut"))
        #expect(words([first, on], [hut]) == ["Head north on A", "Via 1 reached: Hut", "Arrive"])
        let back = TurnLeg(first.points.reversed(), name: "A", kind: .path)
        #expect(
            words([first, back], [TurnJunction(via: .init(number: 1))]) == [
                "Head north on A", "Via 1 reached. U-turn", "Arrive",
            ])
    }

    @Test func theFirstAndTheLastWaymarkOfATrailAreTold() {
        let mark = TrailMark(name: "E5", waymark: Waymark(osmc: "red:red:white_bar"))
        let first = leg(Plane.origin, 0, 200, nil, .path)
        let marked = leg(first.points[first.points.count - 1], 0, 300, nil, .path, trails: [mark])
        let last = leg(marked.points[marked.points.count - 1], 0, 200, nil, .path)
        #expect(
            words([first, marked, last], []) == [
                "Head north", "Continue straight; follow E5, red-white-red", "Continue straight; leave E5",
                "Arrive",
            ])
        let brief = leg(first.points[first.points.count - 1], 0, 100, nil, .path, trails: [mark])
        #expect(words([first, brief, last], []) == ["Head north", "Arrive"])
    }

    /// The texts of each language, by hand from the table.
    @Test(arguments: [
        ("de", "Links abbiegen, dann rechts auf C"), ("fr", "Tournez à gauche, puis à droite sur C"),
        ("es", "Gire a la izquierda, luego a la derecha por C"), ("en", "Turn left, then right onto C"),
    ])
    func languages(code: String, expected: String) throws {
        let language = try #require(TurnLanguage.all.first { $0.code == code })
        let first = leg(Plane.origin, 0, 200, "A", .road)
        let between = leg(first.points[first.points.count - 1], -80, 30, nil, .path)
        let last = leg(between.points[between.points.count - 1], 0, 200, "C", .road)
        let texts = words(
            [first, between, last],
            [.init(exits: [.init(bearing: 80)]), .init(exits: [.init(bearing: 280)])], language)
        #expect(texts[1] == expected)
        // No placeholder is left unfilled.
        #expect(texts.allSatisfy { !$0.contains("{") })
    }
}
