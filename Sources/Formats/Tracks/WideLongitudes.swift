/// Longitudes beyond ±180°, as programs write them that draw a line on over the antimeridian, or count from 0 to 360. They are the same
/// meridians a turn away where their line shows it; a single one far from its neighbours is a damaged number.
enum WideLongitudes {
    /// What is said of those that are read.
    static let said =
        "longitudes beyond 180°, read as those a turn away, since the points beside them lie there"
    /// Degrees between neighbours from which a single one is no step of a way.
    private static let longestStep = 1.0

    /// Whether a longitude in degrees is beyond the range, by less than a turn.
    static func isWide(_ longitude: Double) -> Bool {
        abs(longitude) > LogSettings.mostDegrees && abs(longitude) < LogSettings.turn
    }

    /// The same meridian within the range.
    static func turned(_ longitude: Double) -> Double {
        longitude > 0 ? longitude - LogSettings.turn : longitude + LogSettings.turn
    }

    /// Whether each longitude of a line, as written, is wide and can be read; an unknown one is `nil`.
    static func readable(_ written: [Double?]) -> [Bool] {
        // Numbers beyond a turn are no angles.
        let longitudes = written.map { $0.flatMap { abs($0) < LogSettings.turn ? $0 : nil } }
        let known = longitudes.compactMap(\.self)
        let wide = known.filter(isWide)
        guard let first = wide.first else { return longitudes.map { _ in false } }
        let isOneSide = known.allSatisfy { first > 0 ? $0 >= 0 : $0 <= 0 }
        let isSteady = zip(known, known.dropFirst()).allSatisfy { before, after in
            let step = abs(after - before)
            return min(step, LogSettings.turn - step) <= LogSettings.longestStep
        }
        if isOneSide, isSteady, wide.count > 1 {
            return longitudes.map { $0.map(isWide) ?? false }
        }
        // Otherwise those that follow a known one closely, in either direction.
        var readable = longitudes.map { _ in false }
        for places in [Array(longitudes.indices), longitudes.indices.reversed()] {
            var last: Double?
            for place in places {
                guard let longitude = longitudes[place] else { continue }
                if isWide(longitude), !readable[place] {
                    readable[place] = last.map { abs($0 - longitude) <= longestStep } ?? false
                }
                last = isWide(longitude) && !readable[place] ? nil : longitude
            }
        }
        return readable
    }
}
