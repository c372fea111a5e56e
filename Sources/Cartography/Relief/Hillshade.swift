import Foundation
import Geodesy

/// Hillshade from several directions (after Mark 1992), so that ridges parallel to one light are visible
/// too.
enum Hillshade {
    /// The directions of light, degrees from north, and their weights.
    private static let lights: [(azimuth: Double, weight: Double)] = [
        (225, 0.12), (270, 0.2), (315, 0.5), (0, 0.18),
    ]
    /// The elevation of the light, in degrees.
    private static let altitude = 45.0

    /// The brightness of each sample relative to flat ground, −1…0.4; NaN if it or a neighbour is unknown.
    static func brightness(_ window: HeightWindow, exaggeration: Double) -> [Float] {
        let (columns, rows) = (window.columns, window.rows)
        var result = [Float](repeating: .nan, count: columns * rows)
        let sine = Float(sin(altitude.radians))
        let cosine = Float(cos(altitude.radians))
        let suns = lights.map { light in
            (
                east: Float(sin(light.azimuth.radians)) * cosine,
                north: Float(cos(light.azimuth.radians)) * cosine, weight: Float(light.weight)
            )
        }
        let metres = 2 * Double.pi * GeodesySettings.earthRadius / 360 / window.perDegree
        for row in 1..<rows - 1 {
            let latitude = window.latitude(row: Double(row))
            let toNorth = Float(exaggeration / (8 * metres))
            let toEast = Float(exaggeration / (8 * metres * max(0.05, cos(latitude.radians))))
            for column in 1..<columns - 1 {
                let index = row * columns + column
                let (above, below) = (index - columns, index + columns)
                let v = window.values
                // The slope by Horn (1981).
                let east =
                    (v[above + 1] + 2 * v[index + 1] + v[below + 1] - v[above - 1] - 2 * v[index - 1]
                        - v[below - 1]) * toEast
                let north =
                    (v[above - 1] + 2 * v[above] + v[above + 1] - v[below - 1] - 2 * v[below]
                        - v[below + 1]) * toNorth
                // Beside an unknown height the slope is unknown.
                guard !(east + north).isNaN else { continue }
                let length = (1 + east * east + north * north).squareRoot()
                var light: Float = 0
                for sun in suns {
                    light += sun.weight * max(0, (sine - east * sun.east - north * sun.north) / length)
                }
                result[index] = light / sine - 1
            }
        }
        return result
    }
}
