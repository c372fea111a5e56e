import Geodesy

/// The line around an area, which ends where it begins.
enum ClosedRing {
    /// What is said of lines that end before their last side.
    static let unclosed = "areas whose line does not end where it begins, closed there"
    /// Corners from which a line is around an area.
    private static let leastCorners = 3

    /// The point with which a line must end that does not end where it begins: GeoJSON and KML require that (RFC 7946, 3.1.6; OGC 12-007r2,
    /// 10.5), and some programs leave it out; `nil` for one that is closed.
    static func end(of ring: [Coordinate]) -> Coordinate? {
        guard ring.count >= leastCorners, let first = ring.first, let last = ring.last,
            first.withoutAltitude != last.withoutAltitude
        else { return nil }
        return first
    }
}
