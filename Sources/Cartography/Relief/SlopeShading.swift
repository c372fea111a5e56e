import Foundation
import Geodesy
import Pictures

/// Shades steep ground by classes of slope.
struct SlopeShading {
    let rules: [SlopeRule]

    /// The slope at each sample in degrees, by Horn (1981); NaN if it or a neighbour is unknown.
    static func degrees(_ window: HeightWindow) -> [Float] {
        let (columns, rows) = (window.columns, window.rows)
        var result = [Float](repeating: .nan, count: columns * rows)
        let metres = 2 * Double.pi * GeodesySettings.earthRadius / 360 / window.perDegree
        let v = window.values
        for row in 1..<rows - 1 {
            let latitude = window.latitude(row: Double(row))
            let toNorth = Float(1 / (8 * metres))
            let toEast = Float(1 / (8 * metres * max(0.05, cos(latitude.radians))))
            for column in 1..<columns - 1 {
                let index = row * columns + column
                let (above, below) = (index - columns, index + columns)
                let right = v[above + 1] + 2 * v[index + 1] + v[below + 1]
                let left = v[above - 1] + 2 * v[index - 1] + v[below - 1]
                let top = v[above - 1] + 2 * v[above] + v[above + 1]
                let bottom = v[below - 1] + 2 * v[below] + v[below + 1]
                let (east, north) = ((right - left) * toEast, (top - bottom) * toNorth)
                result[index] = atan((east * east + north * north).squareRoot()) * 180 / .pi
            }
        }
        return result
    }

    /// The index of a slope's class; `nil` below the first.
    func index(_ degrees: Double) -> Int? { rules.lastIndex { degrees >= $0.from } }

    /// The words of a class.
    func words(_ index: Int) -> String {
        let from = Self.text(rules[index].from)
        return rules.indices.contains(index + 1)
            ? "slope \(from)–\(Self.text(rules[index + 1].from))°" : "slope over \(from)°"
    }

    private static func text(_ degrees: Double) -> String {
        degrees == degrees.rounded() ? String(Int(degrees)) : String(degrees)
    }

    /// The colour of a slope; transparent below the first class; alpha first, premultiplied.
    func pixel(_ degrees: Float) -> UInt32 {
        guard let index = index(Double(degrees)) else { return 0 }
        let (color, alpha) = (rules[index].color, rules[index].opacity)
        func part(_ value: UInt8) -> UInt32 { UInt32((Double(value) * alpha).rounded()) }
        return part(255) << 24 | part(color.red) << 16 | part(color.green) << 8 | part(color.blue)
    }
}

/// A class of slopes.
struct SlopeRule: Sendable, Hashable {
    /// Degrees from which it begins.
    var from: Double
    var color: Color
    var opacity: Double
}
