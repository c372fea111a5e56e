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
        #expect(Plane.directions([("A", 0, 100), (nil, 10, 100)], exits: [[90]]) == [])
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
        #expect(straight[1].description == "Continue straight at the fork")
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

    @Test func theSharperOfAMergedPairStays() {
        let turns = Plane.turns([("A", 0, 200), ("B", 30, 40), ("C", 140, 200)], exits: [[-90], [-90]])
        #expect(turns[1].direction == .right)
        #expect(abs(turns[1].cumulativeDistance - 240) < 0.5)
        #expect(turns[1].description == "Bear right, then turn right onto C")
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
        #expect(turns.map(\.description) == ["Head east on A", "U-turn onto A", "Arrive"])
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
}
