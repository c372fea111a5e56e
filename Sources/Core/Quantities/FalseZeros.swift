/// Zeros of a raster of heights that stand for unknown ground: programs that fill gaps with 0 leave plateaus at the level of the sea amid
/// mountains. The water of a sea, a lake or a polder has a shore; a plateau that is walled all around has none.
public enum FalseZeros {
    /// The slope of the ground around an area of zeros from which it is no water, in metres a metre (about 50°), and the metres that it
    /// must rise in any case: quays and locks stand upright in fine rasters. In SRTM tiles of three coasts the lower quartile of the
    /// ground beside each of 209 areas of water is 4 m at most, at 90 m.
    static let steepest = 1.2
    static let leastRise = 30.0
    /// Zeros between two checks for cancellation.
    private static let step = 10_000

    /// The indexes, among those of the zeros of a raster, at which the ground is unknown: of areas whose neighbours rise too steeply, but for a
    /// quarter of them. `spacing` is the metres between samples, `height` returns a sample, or `nil` if it is unknown; `check` throws to
    /// cancel.
    public static func indexes(
        among zeros: [Int], width: Int, height rows: Int, spacing: Double, height: (Int) -> Double?,
        check: () throws -> Void
    ) rethrows -> [Int] {
        guard !zeros.isEmpty else { return [] }
        var isOpen = [Bool](repeating: false, count: width * rows)
        for index in zeros { isOpen[index] = true }
        let limit = max(leastRise, steepest * spacing)
        var found: [Int] = []
        for start in zeros where isOpen[start] {
            isOpen[start] = false
            var area = [start]
            var rim: [Double] = []
            var next = 0
            while next < area.count {
                let (row, column) = area[next].quotientAndRemainder(dividingBy: width)
                next += 1
                if next % step == 0 { try check() }
                for y in max(0, row - 1)...min(rows - 1, row + 1) {
                    for x in max(0, column - 1)...min(width - 1, column + 1) {
                        let neighbour = y * width + x
                        if isOpen[neighbour] {
                            isOpen[neighbour] = false
                            area.append(neighbour)
                        } else if let height = height(neighbour), height != 0 {
                            rim.append(height)
                        }
                    }
                }
            }
            rim.sort()
            if !rim.isEmpty, rim[rim.count / 4] > limit { found += area }
        }
        return found
    }
}
