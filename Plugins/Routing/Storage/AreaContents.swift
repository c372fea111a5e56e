import Geodesy

extension NamedArea {
    /// Whether it may be a municipality.
    var isMunicipal: Bool { level.map(Self.municipal.contains) ?? false }

    /// The municipality among areas that contain a coordinate: of the finest level that has one, the first by name.
    static func municipality(of areas: [(level: Int, name: String)]) -> String? {
        for level in municipal {
            if let name = areas.filter({ $0.level == level }).map(\.name).min() { return name }
        }
        return nil
    }

    /// Whether an edge of an outline crosses the parallel of a coordinate to the east of it.
    @inline(__always)
    static func crosses(_ from: Coordinate, _ to: Coordinate, beside coordinate: Coordinate) -> Bool {
        guard (from.latitude > coordinate.latitude) != (to.latitude > coordinate.latitude) else {
            return false
        }
        let share = (coordinate.latitude - from.latitude) / (to.latitude - from.latitude)
        let east = Angle.difference(from: from.longitude, to: to.longitude) * share
        return Angle.difference(from: from.longitude, to: coordinate.longitude) < east
    }
}
