import Geodesy

/// The area of a search.
public enum PlaceArea: Sendable, Hashable {
    /// A box.
    case box(BoundingBox)
    /// Rings of coordinates; a coordinate inside an odd number of them is in the area.
    case rings([[Coordinate]], BoundingBox)

    /// The box around it.
    public var box: BoundingBox {
        switch self {
        case .box(let box), .rings(_, let box): box
        }
    }

    /// Whether a coordinate lies in it.
    public func contains(_ coordinate: Coordinate) -> Bool {
        guard box.contains(coordinate) else { return false }
        guard case .rings(let rings, _) = self else { return true }
        return rings.count { Self.isInside(coordinate, $0) } % 2 == 1
    }

    /// Whether a ray to the east crosses a ring an odd number of times.
    private static func isInside(_ coordinate: Coordinate, _ ring: [Coordinate]) -> Bool {
        guard var last = ring.last else { return false }
        var isInside = false
        for next in ring {
            if (next.latitude > coordinate.latitude) != (last.latitude > coordinate.latitude) {
                let share = (coordinate.latitude - next.latitude) / (last.latitude - next.latitude)
                let east = Angle.difference(from: next.longitude, to: last.longitude) * share
                if Angle.difference(from: next.longitude, to: coordinate.longitude) < east {
                    isInside.toggle()
                }
            }
            last = next
        }
        return isInside
    }
}
