/// Makes pictures smaller (or larger) by averaging areas.
enum Resampling {
    /// A square of `side` pixels, cropped to the middle of the picture.
    ///
    /// Each new pixel is the mean of the area of old ones it covers, with the share of each at the rim; where the
    /// picture is enlarged, the area is one old pixel wide, which interpolates between neighbours.
    static func aspectFill(_ bitmap: Bitmap, side: Int) -> Bitmap? {
        let scale = Double(min(bitmap.width, bitmap.height)) / Double(side)
        let left = (Double(bitmap.width) - scale * Double(side)) / 2
        let top = (Double(bitmap.height) - scale * Double(side)) / 2
        return averaged(
            bitmap, columns: spans(count: side, start: left, step: scale, limit: bitmap.width),
            rows: spans(count: side, start: top, step: scale, limit: bitmap.height))
    }

    /// The whole picture in another size.
    static func stretched(_ bitmap: Bitmap, width: Int, height: Int) -> Bitmap? {
        guard width > 0, height > 0 else { return nil }
        let across = Double(bitmap.width) / Double(width)
        let down = Double(bitmap.height) / Double(height)
        return averaged(
            bitmap, columns: spans(count: width, start: 0, step: across, limit: bitmap.width),
            rows: spans(count: height, start: 0, step: down, limit: bitmap.height))
    }

    private static func averaged(_ bitmap: Bitmap, columns: [Span], rows: [Span]) -> Bitmap? {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(columns.count * rows.count * 3)
        for row in rows {
            let sums = columnSums(of: bitmap, over: row, columns: columns)
            for column in columns {
                let (red, green, blue) = mean(of: sums, over: column)
                pixels.append(red)
                pixels.append(green)
                pixels.append(blue)
            }
        }
        return Bitmap(width: columns.count, height: rows.count, pixels: pixels)
    }

    /// The old pixels that contribute to a new one: the first, and the weight of each; the weights
    /// add up to 1.
    private struct Span {
        var first: Int
        var weights: [Float]
        var end: Int { first + weights.count }
    }

    private static func spans(count: Int, start: Double, step: Double, limit: Int) -> [Span] {
        (0..<count).map { index in
            let center = start + (Double(index) + 0.5) * step
            let half = max(step, 1) / 2
            let from = max(0, center - half)
            let to = min(Double(limit), center + half)
            let first = min(limit - 1, Int(from))
            let last = max(first, min(limit - 1, Int(to.rounded(.up)) - 1))
            let shares = (first...last).map { Float(min(to, Double($0 + 1)) - max(from, Double($0))) }
            let total = shares.reduce(0, +)
            return Span(
                first: first, weights: shares.map { total > 0 ? $0 / total : 1 / Float(shares.count) })
        }
    }

    /// The weighted sum of rows, for the columns that are needed; the rest stays zero.
    private static func columnSums(of bitmap: Bitmap, over row: Span, columns: [Span]) -> [Float] {
        var sums = [Float](repeating: 0, count: bitmap.width * 3)
        let from = (columns.first?.first ?? 0) * 3
        let to = (columns.last?.end ?? 0) * 3
        for (offset, weight) in row.weights.enumerated() {
            let start = (row.first + offset) * bitmap.width * 3
            for index in from..<to { sums[index] += weight * Float(bitmap.pixels[start + index]) }
        }
        return sums
    }

    private static func mean(of sums: [Float], over column: Span) -> (UInt8, UInt8, UInt8) {
        var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
        var index = column.first * 3
        for weight in column.weights {
            red += weight * sums[index]
            green += weight * sums[index + 1]
            blue += weight * sums[index + 2]
            index += 3
        }
        return (byte(red), byte(green), byte(blue))
    }

    private static func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
}
