import Geodesy

/// The coordinates and kinds of places by number, for search around a coordinate without names.
public struct PlaceLocations: Sendable {
    var ranks: [UInt8] = []
    /// In 255ths.
    var prominences: [UInt8] = []
    /// In 1e-7 degrees.
    var latitudes: [Int32] = []
    var longitudes: [Int32] = []
    /// Indexes into the names of kinds.
    var kinds: [UInt16] = []
    /// The names of the kinds.
    var kindNames: [String] = []

    /// The number of places.
    public var count: Int { ranks.count }

    func coordinate(_ number: Int) -> Coordinate {
        Coordinate(latitude: Double(latitudes[number]) / 1e7, longitude: Double(longitudes[number]) / 1e7)
    }

    func kind(_ number: Int) -> String { kindNames[Int(kinds[number])] }

    /// The rank of a place: 0 for the most important … 9.
    public func rank(_ number: Int) -> Int { Int(ranks[number]) }

    /// The rank of a place less its prominence.
    func importance(of number: Int) -> Double {
        Double(ranks[number]) - Double(prominences[number]) / 255
    }

    /// The box around all places; `nil` if there is none.
    public var box: BoundingBox? {
        guard let south = latitudes.min(), let north = latitudes.max(), let west = longitudes.min(),
            let east = longitudes.max()
        else { return nil }
        let box = BoundingBox(
            south: Double(south) / 1e7, west: Double(west) / 1e7, north: Double(north) / 1e7,
            east: Double(east) / 1e7)
        guard box.longitudeSpan > 180 else { return box }
        // It may be narrower across the antimeridian.
        return BoundingBox(around: (0..<count).lazy.map(coordinate))
    }

    /// The places nearest to a coordinate, the nearest first, by their numbers; `isWanted` states for each kind
    /// whether it counts. Reads the latitude of each place, and the longitude only of those between the parallels
    /// that bound the circle.
    public func nearest(
        to place: Coordinate, within radius: Double, limit: Int, isWanted: (String) -> Bool
    ) -> [(number: Int, distance: Double)] {
        let wanted = kindNames.map(isWanted)
        let box = BoundingBox(center: place, radius: radius)
        let band = Int32((box.south * 1e7).rounded(.down))...Int32((box.north * 1e7).rounded(.up))
        var found: [(number: Int, distance: Double)] = []
        latitudes.withUnsafeBufferPointer { latitudes in
            for number in latitudes.indices
            where band.contains(latitudes[number]) && wanted[Int(kinds[number])] {
                let coordinate = coordinate(number)
                guard box.contains(coordinate) else { continue }
                let distance = place.distance(to: coordinate)
                if distance <= radius { found.append((number, distance)) }
            }
        }
        return Array(found.sorted { ($0.distance, $0.number) < ($1.distance, $1.number) }.prefix(limit))
    }
}
