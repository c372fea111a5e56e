import CZones
import Core
import Foundation
import Geodesy

/// Time zones at coordinates, by the borders of KDE's locale data, which come from OpenStreetMap.
///
/// The borders are stored as tiles: the zone is known in tiles of a single zone. Other tiles contain a
/// border; there the zones of the surrounding tiles are the candidates.
public enum PlaceZones {
    /// Degrees of a tile from south to north and from west to east: 2,048 tiles each from 60° S to 80° N and
    /// around the Earth.
    private static let tile = (latitude: 140.0 / 2048, longitude: 360.0 / 2048)

    /// The zone at a coordinate; at a border between several, all that are near, by name. None if the zone is
    /// unknown: at sea, near the poles, inside a tile whose other zone is in no surrounding tile, and without
    /// the library.
    public static func candidates(at coordinate: Coordinate) -> [TimeZone] {
        guard coordinate.isValid, NativeLibrary.zones.isAvailable else { return [] }
        if let known = identifier(coordinate.latitude, coordinate.longitude) {
            return TimeZone(identifier: known).map { [$0] } ?? []
        }
        var around: Set<String> = []
        for north in -1...1 {
            for east in -1...1 {
                let longitude = coordinate.longitude + Double(east) * tile.longitude
                if let near = identifier(
                    coordinate.latitude + Double(north) * tile.latitude,
                    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
                {
                    around.insert(near)
                }
            }
        }
        // A border has two sides: with one zone around, the other one is inside the tile and unknown.
        let zones = around.sorted().compactMap(TimeZone.init(identifier:))
        return around.count > 1 && zones.count == around.count ? zones : []
    }

    private static func identifier(_ latitude: Double, _ longitude: Double) -> String? {
        guard let name = czones_zone(Float(latitude), Float(longitude)) else { return nil }
        let text = String(cString: name)
        return text.isEmpty ? nil : text
    }
}
