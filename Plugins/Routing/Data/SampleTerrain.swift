import Foundation
import Geodesy

/// The heights of the sample valley, as a formula and as an elevation tile.
enum SampleTerrain {
    /// The origin of the valley's metres.
    static let origin = Coordinate(latitude: 0.5, longitude: 0.5)
    /// The name of its elevation tile.
    static let tileName = "N00E000.hgt"
    /// Samples along a side of the tile: three arc seconds.
    static let samples = 1201
    /// The sample value of an unknown elevation.
    static let void: Int16 = -32768
    /// Beyond this many metres from the origin the tile is void, so that it packs small.
    static let reach = 5000.0

    /// Metres of a degree of latitude, and of longitude near the equator, on the sphere of R₁: fixed, so that the files
    /// that are in the repository stay as they are.
    static let degree = 6_371_008.8 * .pi / 180

    /// The coordinate at metres east and north of the origin.
    static func place(x: Double, y: Double) -> Coordinate {
        let scale = 1e7
        return Coordinate(
            latitude: ((origin.latitude + y / degree) * scale).rounded() / scale,
            longitude: ((origin.longitude + x / degree) * scale).rounded() / scale)
    }

    /// The height in metres: a valley from west to east between two slopes, with a summit, a pass and a lake.
    static func elevation(x: Double, y: Double) -> Double {
        let fromRiver = abs(y - river(x))
        let slope = max(0, fromRiver - 250)
        var height = 690 + 0.045 * x + 1150 * (1 - exp(-slope / 1900))
        height += 55 * sin(x / 520) * min(1, slope / 900)
        height += 300 * bump(x, y, at: (-600, 2500), radius: 520)
        height -= 120 * bump(x, y, at: (900, 2600), radius: 420)
        let lake = bump(x, y, at: (1750, 1720), radius: 420)
        return height * (1 - lake) + 1190 * lake
    }

    /// Metres from the middle to the river, northwards.
    static func river(_ x: Double) -> Double { 250 * sin(x / 1500) }

    private static func bump(_ x: Double, _ y: Double, at centre: (x: Double, y: Double), radius: Double)
        -> Double
    {
        let dx = (x - centre.x) / radius
        let dy = (y - centre.y) / radius
        return exp(-(dx * dx + dy * dy))
    }

    /// The elevation tile: rows from the north, big-endian, the first sample at 1° north and 0° east.
    static func tile() -> Data {
        var heights = [Int16](repeating: void.bigEndian, count: samples * samples)
        let last = Double(samples - 1)
        let across = (0..<samples).map { (Double($0) / last - origin.longitude) * degree }
        let known = across.indices.filter { abs(across[$0]) <= reach }
        for row in 0..<samples {
            let y = (1 - Double(row) / last - origin.latitude) * degree
            guard abs(y) <= reach else { continue }
            for column in known {
                let height = elevation(x: across[column], y: y).rounded()
                heights[row * samples + column] = Int16(height).bigEndian
            }
        }
        return heights.withUnsafeBytes { Data($0) }
    }
}
