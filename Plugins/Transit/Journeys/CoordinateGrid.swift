import Geodesy

/// Coordinates in square cells, for radius queries.
struct CoordinateGrid: Sendable {
    private struct Cell: Hashable {
        var x: Int
        var y: Int
    }

    private let coordinates: [Coordinate]
    private let size: Double
    private var cells: [Cell: [Int]] = [:]

    /// Cells of about this many metres; longitudes shrink with the latitude, so cells only get narrower.
    init(_ coordinates: [Coordinate], cell metres: Double) {
        self.coordinates = coordinates
        size = (metres / GeodesySettings.earthRadius).degrees
        for (index, point) in coordinates.enumerated() { cells[cell(point), default: []].append(index) }
    }

    private func cell(_ point: Coordinate) -> Cell {
        Cell(x: Int((point.longitude / size).rounded(.down)), y: Int((point.latitude / size).rounded(.down)))
    }

    /// The elements within a radius in metres of a coordinate, by index.
    func near(_ point: Coordinate, _ metres: Double) -> [(index: Int, metres: Double)] {
        let reach = (metres / GeodesySettings.earthRadius).degrees
        let wide = reach / max(0.01, point.latitude.radians.cosine)
        var found: [(index: Int, metres: Double)] = []
        let low = cell(Coordinate(latitude: point.latitude - reach, longitude: point.longitude - wide))
        let high = cell(Coordinate(latitude: point.latitude + reach, longitude: point.longitude + wide))
        for y in low.y...high.y {
            for x in low.x...high.x {
                for index in cells[Cell(x: x, y: y)] ?? [] {
                    let distance = point.distance(to: coordinates[index])
                    if distance <= metres { found.append((index, distance)) }
                }
            }
        }
        return found.sorted { $0.index < $1.index }
    }
}
