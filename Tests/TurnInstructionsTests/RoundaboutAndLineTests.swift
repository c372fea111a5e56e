import Geodesy
import PluginKit
import Testing

@testable import TurnInstructions

@Suite struct RoundaboutTests {
    /// A circle of 20 m radius is entered from the south, passed to the right, and left to the east or north.
    private func turns(legs count: Int, out bearing: Double) -> [TurnInstruction] {
        let start = Plane.origin
        let entry = start.destination(bearing: 0, distance: 150)
        let centre = entry.destination(bearing: 0, distance: 20)
        func rim(_ angle: Double) -> Coordinate { centre.destination(bearing: angle, distance: 20) }
        var legs = [TurnLeg([start, entry], name: "A")]
        var junctions = [TurnJunction(exits: [.init(bearing: 270, isRoundabout: true)])]
        for quarter in 0..<count {
            let from = 180 - Double(quarter) * 90
            legs.append(
                TurnLeg([rim(from), rim(from - 45), rim(from - 90)], isRoundabout: true))
            junctions.append(
                TurnJunction(exits: [
                    .init(bearing: from - 90), .init(bearing: from - 180, isRoundabout: true),
                ]))
        }
        let leave = legs[legs.count - 1].points[2]
        legs.append(TurnLeg([leave, leave.destination(bearing: bearing, distance: 150)], name: "B"))
        var generator = TurnGenerator(trace: NoTrace())
        return generator.turns(along: TurnPath(legs: legs, junctions: junctions))
    }

    @Test func theExitIsCounted() {
        #expect(turns(legs: 1, out: 90)[1].description == "Turn right onto B at the roundabout, first exit")
        let over = turns(legs: 2, out: 0)
        #expect(over[1].description == "Continue straight onto B at the roundabout, second exit")
        #expect(over.count == 3)
        #expect(turns(legs: 3, out: 270)[1].description == "Turn left onto B at the roundabout, third exit")
    }

    @Test func theInstructionStandsAtTheEntry() {
        let turn = turns(legs: 2, out: 0)[1]
        #expect(abs(turn.cumulativeDistance - 150) < 0.1)
    }
}

@Suite struct LineTurnTests {
    private func turns(_ points: [Coordinate]) -> [TurnInstruction] {
        var generator = TurnGenerator(trace: NoTrace())
        return generator.turns(alongLine: points)
    }

    @Test func cornersOfALineAreTurns() {
        let line = Plane.line(Plane.origin, [(0, 300), (90, 300), (60, 200)])
        #expect(turns(line).map(\.direction) == [.start, .right, .slightLeft, .arrive])
        #expect(turns(line)[1].description == "Turn right")
    }

    @Test func aRoundedCornerIsOneTurn() {
        let line = Plane.line(Plane.origin, [(0, 300), (30, 15), (60, 15), (90, 300)])
        #expect(turns(line).map(\.direction) == [.start, .right, .arrive])
    }

    /// Two turns to one side are two where a walker sees two corners, and a U-turn with its side where they are one bend.
    @Test(arguments: [-90.0, 90])
    func twoTurnsToOneSideAreNoUTurn(turn: Double) {
        let (side, word): (TurnDirection, String) = turn < 0 ? (.left, "left") : (.right, "right")
        for gap in [15.0, 25, 40] {
            let line = Plane.line(Plane.origin, [(0, 300), (turn, gap), (2 * turn, 300)])
            let told = turns(line)
            #expect(told.map(\.direction) == [.start, side, .arrive], "\(gap) m")
            #expect(told[1].description == "Turn \(word), then \(word)")
        }
        let narrow = turns(Plane.line(Plane.origin, [(0, 300), (turn, 12), (2 * turn, 300)]))
        #expect(narrow.map(\.direction) == [.start, .uTurn, .arrive])
        #expect(narrow[1].description == "U-turn to the \(word)")
        let round = turns(
            Plane.line(
                Plane.origin, [(0, 300)] + (1...5).map { (Double($0) * turn / 3, 4) } + [(2 * turn, 300)]))
        let bend = round.dropFirst().dropLast()
        #expect(
            bend.count == 1 && bend.allSatisfy { $0.description.hasSuffix(word) },
            "\(bend.map(\.description))")
    }

    @Test func aLineThatLeadsBackUponItselfHasNoSide() {
        let line = Plane.line(Plane.origin, [(0, 300), (180, 300)])
        #expect(turns(line)[1].description == "U-turn")
    }

    @Test(arguments: TurnLanguage.all)
    func everyLanguageHasSides(language: TurnLanguage) {
        let verbs = [
            language.uTurnLeft, language.uTurnRight, language.keep[.left] ?? "", language.keep[.right] ?? "",
            language.verbs[.uTurn] ?? "",
        ]
        #expect(Set(verbs).count == verbs.count && !verbs.contains(""))
    }

    @Test func thresholdsAreSettings() throws {
        let line = Plane.line(Plane.origin, [(0, 300), (60, 300)])
        func words(_ values: [String: Value]) -> [String] {
            var generator = TurnGenerator(trace: NoTrace(), thresholds: TurnThresholds(values))
            return generator.turns(alongLine: line).dropFirst().dropLast().map(\.description)
        }
        #expect(words([:]) == ["Turn right"])
        #expect(words(["turns.slight": .quantity(.degrees(70))]) == ["Bear right"])
        #expect(
            words(["turns.turn": .quantity(.degrees(50)), "turns.slight": .quantity(.degrees(50))]) == [
                "Sharp right"
            ])
        let near = Plane.line(Plane.origin, [(0, 300), (90, 40), (0, 300)])
        func count(_ metres: Double) -> Int {
            let thresholds = TurnThresholds(["turns.spacing": .quantity(.metres(metres))])
            var generator = TurnGenerator(trace: NoTrace(), thresholds: thresholds)
            return generator.turns(alongLine: near).count - 2
        }
        #expect(count(50) == 1 && count(20) == 2)
        for setting in TurnThresholds.settings {
            #expect(throws: Never.self) { try setting.check([:]) }
        }
        let straight = try #require(TurnThresholds.settings.first)
        #expect(throws: RutterError.self) { try straight.check(["turns.straight": .quantity(.degrees(60))]) }
    }

    @Test func aWindingPathIsNotToldBendByBend() {
        let wriggles = (0..<20).map { ($0 % 2 == 0 ? 20.0 : -20, 20.0) }
        #expect(turns(Plane.line(Plane.origin, wriggles)).count == 2)
    }

    @Test func repeatedAndSinglePoints() {
        let here = Plane.origin
        #expect(turns([here, here, here]).map(\.direction) == [.start, .arrive])
        #expect(turns([]).isEmpty)
    }
}

@Suite struct TurnTraceTests {
    @Test func everyDecisionIsAStep() {
        let legs = Plane.line(Plane.origin, [(0, 100)])
        let corner = legs[legs.count - 1]
        var generator = TurnGenerator(trace: TraceLog())
        _ = generator.turns(
            along: TurnPath(
                legs: [TurnLeg(legs), TurnLeg(Plane.line(corner, [(90, 100)]))],
                junctions: [TurnJunction()]))
        let steps = generator.trace.steps
        #expect(steps.map(\.kind) == ["start", "junction", "arrive"])
        #expect(steps[1].why == "a forced bend: no other way leaves here")
        #expect(
            steps[1].values.keys == [
                "at", "along", "in", "out", "delta", "class", "exits", "others", "name", "landmark",
                "outcome",
            ])
    }

    /// No instruction is located after its turn, its arrow matches its first words, and only a merged pair
    /// is followed within 50 m.
    @Test func mergedTurnsStandAtTheirFirst() {
        var generator = Xoshiro256(seed: 42)
        let sides: [(String, Set<TurnDirection>)] = [
            ("Turn left", [.left]), ("Turn right", [.right]), ("Bear left", [.slightLeft]),
            ("Bear right", [.slightRight]), ("Sharp left", [.sharpLeft]), ("Sharp right", [.sharpRight]),
            ("Continue straight", [.straight]), ("U-turn", [.uTurn]), ("Keep left", [.straight]),
            ("Keep right", [.straight]),
        ]
        for _ in 0..<300 {
            let legs: [(String?, Double, Double)] = (0..<30).map { index in
                let bearing = Double.random(in: 0..<360, using: &generator)
                return (
                    index % 3 == 0 ? "W\(index)" : nil, bearing, Double.random(in: 5..<120, using: &generator)
                )
            }
            let exits = legs.map { _ in [Double.random(in: 0..<360, using: &generator)] }
            let turns = Plane.turns(legs, exits: exits)
            let starts = legs.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1.2) }
            let told = turns.dropFirst().dropLast()
            for turn in told {
                // Legs lie on the plane, their lengths on the sphere: a metre of difference at most.
                #expect(starts.contains { abs($0 - turn.cumulativeDistance) < 1 })
                let side = sides.first { turn.description.hasPrefix($0.0) }
                #expect(side?.1.contains(turn.direction) == true)
            }
            for (left, right) in zip(told, told.dropFirst())
            where right.cumulativeDistance - left.cumulativeDistance < 50 {
                #expect(left.description.contains(", then "))
            }
            #expect(
                abs(
                    turns.reduce(0) { $0 + $1.distanceFromPrevious }
                        - turns[turns.count - 1].cumulativeDistance) < 0.01)
        }
    }
}
