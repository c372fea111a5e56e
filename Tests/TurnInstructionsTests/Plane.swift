import Geodesy
import PluginKit

@testable import TurnInstructions

/// Draws paths by directions and lengths.
enum Plane {
    static let origin = Coordinate(latitude: 47.1, longitude: 9.5)

    /// A line by pieces of a direction in degrees and a length in metres, a point every 20 m at most.
    static func line(_ start: Coordinate, _ pieces: [(Double, Double)]) -> [Coordinate] {
        var points = [start]
        for (bearing, length) in pieces {
            let count = max(1, Int((length / 20).rounded(.up)))
            for _ in 0..<count {
                points.append(
                    points[points.count - 1].destination(bearing: bearing, distance: length / Double(count)))
            }
        }
        return points
    }

    /// The instructions of straight legs, each by name, direction and length; exits by their direction.
    static func turns(
        _ legs: [(String?, Double, Double)], exits: [[Double]] = []
    ) -> [TurnInstruction] {
        var here = origin
        let drawn = legs.map { name, bearing, length in
            let points = line(here, [(bearing, length)])
            here = points[points.count - 1]
            return TurnLeg(points, name: name)
        }
        return generate(drawn, exits: exits)
    }

    /// The directions between start and arrival.
    static func directions(
        _ legs: [(String?, Double, Double)], exits: [[Double]] = []
    ) -> [TurnDirection] {
        turns(legs, exits: exits).dropFirst().dropLast().map(\.direction)
    }

    static func generate(_ legs: [TurnLeg], exits: [[Double]]) -> [TurnInstruction] {
        let junctions = exits.map { TurnJunction(exits: $0.map { .init(bearing: Angle.normalized($0)) }) }
        var generator = TurnGenerator(trace: NoTrace())
        return generator.turns(along: TurnPath(legs: legs, junctions: junctions))
    }
}
