import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

@Suite struct SpokenTextTests {
    @Test(
        "distances as one says them",
        arguments: [
            (0.4, "0 metres", "1 foot"), (1, "1 metre", "3 feet"), (7.4, "7 metres", "25 feet"),
            (28, "30 metres", "90 feet"), (83, "80 metres", "270 feet"), (99.6, "100 metres", "350 feet"),
            (333, "350 metres", "a quarter of a mile"), (800, "800 metres", "half a mile"),
            (994, "1 kilometre", "half a mile"), (1000, "1 kilometre", "half a mile"),
            (1240, "1.2 kilometres", "three quarters of a mile"), (1609, "1.6 kilometres", "1 mile"),
            (12_400, "12 kilometres", "7.7 miles"), (.infinity, "an unknown distance", "an unknown distance"),
        ])
    func distances(metres: Double, metric: String, imperial: String) {
        #expect(SpokenText(.metric).distance(metres) == metric)
        #expect(SpokenText(.imperial).distance(metres) == imperial)
    }

    private static func event(
        _ kind: GuidanceEvent.Kind, _ distance: Double, _ direction: TurnDirection = .left,
        _ words: String = "Turn left onto Mill Lane"
    ) -> GuidanceEvent {
        GuidanceEvent(
            kind: kind, fix: 1, time: .init(milliseconds: 0), coordinate: Ground().origin,
            turn: TurnInstruction(
                coordinate: Ground().origin, direction: direction, bearing: 0, distanceFromPrevious: 0,
                cumulativeDistance: 0, trailName: nil, description: words), distance: distance, along: 0)
    }

    @Test("each kind of event in words")
    func words() {
        let metric = SpokenText(.metric)
        #expect(metric.text(Self.event(.approaching, 80)) == "In 80 metres, turn left onto Mill Lane")
        // Names and abbreviations keep their capitals.
        for name in ["B6 to the station", "McDonald's", "TURN LEFT", "L onto Mill Lane"] {
            #expect(metric.text(Self.event(.approaching, 80, .left, name)) == "In 80 metres, \(name)")
        }
        #expect(metric.text(Self.event(.approaching, 2)) == "Turn left onto Mill Lane")
        #expect(metric.text(Self.event(.approaching, 80, .arrive, "Arrive")) == "In 80 metres, you arrive")
        #expect(metric.text(Self.event(.atTurn, 20)) == "Turn left onto Mill Lane")
        #expect(metric.text(Self.event(.rerouted, 1240)) == "New route. 1.2 kilometres to go")
        #expect(metric.text(Self.event(.backOnRoute, 20)) == "You are back on the route")
        var left = Self.event(.offRoute, 62)
        left.bearing = 91
        #expect(metric.text(left) == "You have left the route. It is 60 metres to the east")
        #expect(
            SpokenText(.imperial).text(Self.event(.approaching, 80))
                == "In 260 feet, turn left onto Mill Lane")
    }

    @Test(
        "what the wearer feels",
        arguments: [
            (TurnDirection.left, Haptic.directionDown), (.slightLeft, .directionDown),
            (.sharpLeft, .directionDown), (.right, .directionUp), (.slightRight, .directionUp),
            (.sharpRight, .directionUp), (.uTurn, .failure), (.straight, .click),
        ])
    func haptics(direction: TurnDirection, expected: Haptic) {
        #expect(Haptic(Self.event(.atTurn, 20, direction)) == expected)
        #expect(Haptic(Self.event(.approaching, 80, direction)) == .click)
        #expect(Haptic(Self.event(.offRoute, 60, direction)) == .failure)
        #expect(Haptic(Self.event(.arrived, 20, direction)) == .success)
        #expect(Haptic(Self.event(.backOnRoute, 20, direction)) == nil)
    }
}
