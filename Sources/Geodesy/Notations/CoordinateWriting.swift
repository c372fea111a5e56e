import Foundation

/// Notations in which coordinates are written.
public enum CoordinateWriting: String, Sendable, CaseIterable {
    /// `46°57'03.9"N 7°26'19.1"E`
    case dms
    /// `32T 461987 5205285`
    case utm
    /// `32TMT 61987 05285`
    case mgrs
    /// `2600000 1200000`, LV95.
    case swiss
    /// `TQ 30080 80040`, good to about 5 m.
    case british
    /// `8FVC9G8F+6X`
    case pluscode
    /// `u0qj2gxp4`
    case geohash

    /// A coordinate in the notation; `nil` where the notation does not reach.
    public func text(_ coordinate: Coordinate) -> String? {
        guard coordinate.isValid else { return nil }
        switch self {
        case .dms:
            return Self.angle(coordinate.latitude, "N", "S") + " "
                + Self.angle(coordinate.longitude, "E", "W")
        case .utm: return GridReference.utm(coordinate)
        case .mgrs: return GridReference.mgrs(coordinate)
        case .swiss: return SwissGrid.text(coordinate)
        case .british: return BritishGrid.text(coordinate)
        case .pluscode: return PlusCode.encode(coordinate)
        case .geohash: return Geohash.encode(coordinate)
        }
    }

    /// Tenths of a second, about three metres.
    private static func angle(_ degrees: Double, _ positive: String, _ negative: String) -> String {
        let tenths = Int((abs(degrees) * 36_000).rounded())
        let (whole, minutes, rest) = (tenths / 36_000, tenths / 600 % 60, tenths % 600)
        return String(
            format: "%d°%02d'%02d.%d\"", whole, minutes, rest / 10, rest % 10)
            + (degrees < 0 ? negative : positive)
    }
}
