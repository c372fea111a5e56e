import Geodesy

extension NamedArea {
    /// The municipality among areas of which some contain a place: of the finest level that has one, the first by name.
    static func municipality(of areas: [NamedArea], where contains: (Int) -> Bool) -> String? {
        for level in municipal {
            let inside = areas.indices.filter { areas[$0].level == level && contains($0) }
            if let name = inside.map({ areas[$0].name }).min() { return name }
        }
        return nil
    }

    /// Whether the area contains a coordinate. Linear in the length of the outline; for many coordinates use
    /// an `AreaFinder`, which takes longer to build.
    func contains(_ place: Coordinate) -> Bool {
        guard box.contains(place) else { return false }
        var isInside = false
        for ring in rings {
            for index in ring.indices.dropFirst()
            where Self.crosses(ring[index - 1], ring[index], beside: place) {
                isInside.toggle()
            }
        }
        return isInside
    }

    /// Whether an edge of an outline crosses the parallel of a place to one side of it.
    @inline(__always)
    static func crosses(_ from: Coordinate, _ to: Coordinate, beside place: Coordinate) -> Bool {
        guard (from.latitude > place.latitude) != (to.latitude > place.latitude) else { return false }
        let share = (place.latitude - from.latitude) / (to.latitude - from.latitude)
        let east = Angle.difference(from: from.longitude, to: to.longitude) * share
        return Angle.difference(from: from.longitude, to: place.longitude) < east
    }
}
