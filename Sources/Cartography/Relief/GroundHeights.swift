import Geodesy

extension MapSource {
    /// The attribution of the heights, as stored by the import; `nil` for a region without heights.
    public var heightSource: String? { hasRelief ? table.facts.values[MapFact.heightSource] : nil }

    /// The height of the ground in metres, interpolated between four samples; `nil` if one with weight is
    /// unknown.
    public func height(at coordinate: Coordinate) throws -> Double? {
        guard let grid = table.facts.grid, coordinate.latitude.isFinite, coordinate.longitude.isFinite else {
            return nil
        }
        let x = (coordinate.longitude + 180) * Double(grid)
        let y = (90 - coordinate.latitude) * Double(grid)
        guard x >= 0, y >= 0, x <= Double(360 * grid), y <= Double(180 * grid) else { return nil }
        let (column, row) = (Int(x), Int(y))
        let (right, down) = (x - Double(column), y - Double(row))
        var height = 0.0
        for (dx, dy, weight) in [
            (0, 0, (1 - right) * (1 - down)), (1, 0, right * (1 - down)), (0, 1, (1 - right) * down),
            (1, 1, right * down),
        ] where weight > Self.leastWeight {
            guard let sample = try sample(column + dx, row + dy) else { return nil }
            height += weight * Double(sample)
        }
        return height
    }

    /// On a line between samples, rounding must not give weight to the others.
    private static let leastWeight = 1e-6

    private func sample(_ column: Int, _ row: Int) throws -> Int16? {
        let side = HeightTable.side
        guard let piece = try table.heights(across: column / side, down: row / side) else { return nil }
        let sample = piece[row % side * side + column % side]
        return sample == HeightTable.unknown ? nil : sample
    }
}
