import Foundation
import Geodesy

/// Heights around a picture on a grid that does not depend on the position of the picture.
struct HeightWindow {
    /// Samples per degree of this window.
    let perDegree: Double
    /// The first column from 180° west and the first row from the north pole.
    let firstColumn: Int
    let firstRow: Int
    let columns: Int
    let rows: Int
    /// Metres, row by row; NaN if unknown.
    var values: [Float]

    /// The minimum number of points per sample: below it samples are averaged.
    private static let finest = 3.0
    /// The maximum number of points per sample: above it samples are interpolated.
    private static let coarsest = 7.0
    /// The margin around the picture in samples, for filters.
    private static let margin = 4

    /// The heights of a picture; `nil` if none is known. `isExact` takes the samples as stored, neither averaged nor smoothed:
    /// both make slopes gentler.
    init?(_ table: MapTable, grid: Int, frame: MapProjection, isExact: Bool = false) throws {
        let degree = MapLevel.world / 360 * frame.scale
        var (coarse, fine) = (1, 1)
        while !isExact, degree / Double(grid) * Double(coarse) < Self.finest { coarse *= 2 }
        while coarse == 1, degree / Double(grid) / Double(fine) > Self.coarsest, fine < 16 { fine *= 2 }
        // The area in samples of the store.
        let step = 360 / MapLevel.world * Double(grid)
        let west = frame.originX * step
        let east = (frame.originX + frame.size.width / frame.scale) * step
        let north = (90 - Self.latitude(frame.originY)) * Double(grid)
        let south = (90 - Self.latitude(frame.originY + frame.size.height / frame.scale)) * Double(grid)
        let margin = Self.margin
        func range(_ low: Double, _ high: Double) -> ClosedRange<Int> {
            let first = Int((low / Double(coarse)).rounded(.down)) - margin
            return first...max(first, Int((high / Double(coarse)).rounded(.up)) + margin)
        }
        // Columns continue beyond the 180° meridian, rows end at the poles.
        let across = range(west, east)
        let rows = range(north, south)
        let limits = 0...180 * grid / coarse
        guard rows.overlaps(limits) else { return nil }
        let down = rows.clamped(to: limits)
        guard across.count * down.count <= 4_000_000, across.count > 8, down.count > 8 else { return nil }
        let stored = try Self.stored(table, across, down, grid: grid, coarse: coarse)
        guard stored.contains(where: { !$0.isNaN }) else { return nil }
        var window = HeightWindow(
            perDegree: Double(grid) / Double(coarse), firstColumn: across.lowerBound,
            firstRow: down.lowerBound, columns: across.count, rows: down.count, values: stored)
        if coarse == 1, !isExact { window.smooth() }
        self = fine > 1 ? window.refined(by: fine) : window
    }

    private init(
        perDegree: Double, firstColumn: Int, firstRow: Int, columns: Int, rows: Int, values: [Float]
    ) {
        self.perDegree = perDegree
        self.firstColumn = firstColumn
        self.firstRow = firstRow
        self.columns = columns
        self.rows = rows
        self.values = values
    }

    /// A window with given heights, for tests.
    init(values: [Float], columns: Int, perDegree: Double, firstColumn: Int, firstRow: Int) {
        self.init(
            perDegree: perDegree, firstColumn: firstColumn, firstRow: firstRow, columns: columns,
            rows: values.count / columns, values: values)
    }

    static func latitude(_ y: Double) -> Double {
        WebMercator.unproject(WebMercator.Point(x: 0.5, y: y / MapLevel.world)).latitude
    }

    /// The latitude of a row, which may be fractional.
    func latitude(row: Double) -> Double { 90 - (Double(firstRow) + row) / perDegree }

    /// The direction in which the ground rises, in columns and rows; `nil` where it is level or unknown.
    func uphill(at place: SIMD2<Double>) -> SIMD2<Double>? {
        let column = max(0, min(columns - 2, Int(place.x)))
        let row = max(0, min(rows - 2, Int(place.y)))
        let index = row * columns + column
        let (a, b) = (Double(values[index]), Double(values[index + 1]))
        let (c, d) = (Double(values[index + columns + 1]), Double(values[index + columns]))
        let slope = SIMD2(b - a + c - d, d - a + c - b)
        return slope.x.isFinite && slope.y.isFinite && (slope.x != 0 || slope.y != 0) ? slope : nil
    }

    /// Samples of the store, each the mean of `coarse` by `coarse`.
    private static func stored(
        _ table: MapTable, _ across: ClosedRange<Int>, _ down: ClosedRange<Int>, grid: Int, coarse: Int
    ) throws -> [Float] {
        let side = HeightTable.side
        let columns = across.count
        var sums = [Float](repeating: 0, count: columns * down.count)
        var counts = [UInt16](repeating: 0, count: sums.count)
        let (left, right) = (across.lowerBound * coarse, (across.upperBound + 1) * coarse - 1)
        let (top, bottom) = (down.lowerBound * coarse, (down.upperBound + 1) * coarse - 1)
        // For many samples a mean of some is sufficient.
        let stride = max(1, coarse / 4)
        for shift in [-360 * grid, 0, 360 * grid] {
            guard left + shift < 360 * grid, right + shift >= 0 else { continue }
            let stored = max(0, left + shift)...min(360 * grid - 1, right + shift)
            for pieceDown in top / side...bottom / side {
                for pieceAcross in stored.lowerBound / side...stored.upperBound / side {
                    guard let piece = try table.heights(across: pieceAcross, down: pieceDown) else {
                        continue
                    }
                    for row in Swift.stride(from: 0, to: side, by: stride) {
                        let y = pieceDown * side + row
                        guard y >= top, y <= bottom else { continue }
                        let target = (y / coarse - down.lowerBound) * columns - across.lowerBound
                        for column in Swift.stride(from: 0, to: side, by: stride) {
                            let place = pieceAcross * side + column
                            guard stored.contains(place) else { continue }
                            let x = place - shift
                            let height = piece[row * side + column]
                            guard height != HeightTable.unknown else { continue }
                            let index = target + Int((Double(x) / Double(coarse)).rounded(.down))
                            sums[index] += Float(height)
                            counts[index] += 1
                        }
                    }
                }
            }
        }
        for index in sums.indices {
            sums[index] = counts[index] == 0 ? .nan : sums[index] / Float(counts[index])
        }
        return sums
    }

    /// Smooths the samples: each becomes the weighted mean of its neighbours, 1 2 1 in both directions.
    private mutating func smooth() {
        let source = values
        for row in 1..<rows - 1 {
            for column in 1..<columns - 1 {
                var sum: Float = 0
                for (dy, weight) in [(-1, Float(1)), (0, 2), (1, 1)] {
                    let index = (row + dy) * columns + column
                    sum += weight * (source[index - 1] + 2 * source[index] + source[index + 1])
                }
                // A sample beside an unknown height is unchanged.
                if !sum.isNaN { values[row * columns + column] = sum / 16 }
            }
        }
    }

    /// The heights with interpolated samples, by Catmull–Rom splines.
    private func refined(by fine: Int) -> HeightWindow {
        let weights: [(Float, Float, Float, Float)] = (0..<fine).map { step in
            let t = Float(step) / Float(fine)
            let (t2, t3) = (t * t, t * t * t)
            return (
                0.5 * (-t3 + 2 * t2 - t), 0.5 * (3 * t3 - 5 * t2 + 2), 0.5 * (-3 * t3 + 4 * t2 + t),
                0.5 * (t3 - t2)
            )
        }
        let (inner, lines) = (columns - 3, rows - 3)
        let width = inner * fine
        var wide = [Float](repeating: 0, count: width * rows)
        for row in 0..<rows {
            for column in 0..<inner {
                let index = row * columns + column
                for step in 0..<fine {
                    let w = weights[step]
                    let near = w.0 * values[index] + w.1 * values[index + 1]
                    wide[row * width + column * fine + step] =
                        near + w.2 * values[index + 2] + w.3 * values[index + 3]
                }
            }
        }
        var all = [Float](repeating: 0, count: width * lines * fine)
        for row in 0..<lines {
            for step in 0..<fine {
                let w = weights[step]
                let target = (row * fine + step) * width
                let index = row * width
                for column in 0..<width {
                    let near = w.0 * wide[index + column] + w.1 * wide[index + width + column]
                    all[target + column] =
                        near + w.2 * wide[index + 2 * width + column] + w.3
                        * wide[index + 3 * width + column]
                }
            }
        }
        return HeightWindow(
            perDegree: perDegree * Double(fine), firstColumn: (firstColumn + 1) * fine,
            firstRow: (firstRow + 1) * fine, columns: width, rows: lines * fine, values: all)
    }
}
