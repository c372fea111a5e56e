/// Latitude and longitude that stand in each other's place, where that shows: latitudes beyond 90° beside longitudes within it, in nearly
/// all points of a file. One such latitude among right ones is a damaged number.
struct SwappedAngles {
    /// What is said of such a file, beside that its points are left out.
    private static let said =
        "latitudes beyond 90° beside longitudes within it: perhaps the two are exchanged"
    /// Of points that are possible only the other way round, the share of those of which both angles are numbers.
    private static let leastShare = 0.75
    /// Degrees of the largest latitude.
    private static let most = 90.0

    private var seen = 0
    private var swapped = 0
    private var line: Int?

    /// Counts a point with a possible position.
    mutating func addSound() { seen += 1 }

    /// Counts a point by its angles in degrees, as they are written; one without both says nothing. `line` is asked for the first that is
    /// possible only the other way round.
    mutating func add(_ latitude: Double?, _ longitude: Double?, at line: () -> Int? = { nil }) {
        guard let latitude, let longitude else { return }
        seen += 1
        guard abs(latitude) > Self.most, abs(latitude) <= LogSettings.mostDegrees, abs(longitude) <= Self.most
        else { return }
        if swapped == 0 { self.line = line() }
        swapped += 1
    }

    /// Adds what is said to the doubts of a file whose points were counted.
    func report(to doubts: inout Tally) {
        guard swapped > 0, Double(swapped) >= Double(seen) * Self.leastShare else { return }
        doubts.add(Self.said) { line }
        doubts.add(Self.said, count: swapped - 1)
    }
}
