import Core
import Foundation
import Geodesy
import Pictures
import TrailStores

/// A map of tiles that are there already: an MBTiles file with PNG or JPEG.
public struct TileGround: MapGround {
    private let store: TileStore

    /// No picture is made of more tiles.
    private static let mostTiles = 1024
    /// How many zooms up a tile is looked for where one is missing.
    private static let furthest = 8

    /// Opens a file. Throws `E-MAP-BASE` for tiles that are not pictures, such as vector tiles.
    public init(_ url: URL) throws(RutterError) {
        store = try TileStore(url)
        guard ["png", "jpg", "jpeg"].contains(store.info.format.lowercased()) else {
            throw MapErrors.base(
                "\(url.lastPathComponent) has tiles of the format \(store.info.format); only png and jpg are drawn"
            )
        }
    }

    /// Whose data the file shows, as it says itself.
    public var attribution: String { store.info.attribution }

    /// Whether the file says that it has tiles of a part of the world.
    public func covers(_ box: BoundingBox) -> Bool { store.covers(box) }

    /// The tiles of a view; where one is missing, the part of a coarser one, and where there is none the plain ground.
    public func drawing(of view: MapView, style: String, blocked: [SceneRect]) throws -> GroundDrawing {
        let zooms = store.info.zooms
        let zoom = max(zooms.lowerBound, min(zooms.upperBound, view.tileZoom))
        var found: Set<TileAddress> = []
        var elements: [(zoom: Int, element: SceneElement)] = []
        for wanted in view.tiles(zoom: zoom, limit: Self.mostTiles) {
            try Interruption.check()
            var address = wanted
            for _ in 0...Self.furthest {
                if found.contains(address) { break }
                if let data = try store.tile(zoom: address.zoom, x: address.x, y: address.y) {
                    found.insert(address)
                    elements += view.placements(of: address).map { rect in
                        (address.zoom, SceneElement(shape: .image(bytes: [UInt8](data), rect)))
                    }
                    break
                }
                guard address.zoom > zooms.lowerBound else { break }
                address = TileAddress(zoom: address.zoom - 1, x: address.x / 2, y: address.y / 2)
            }
        }
        // Coarser ones below.
        let ordered = elements.enumerated().sorted { ($0.1.zoom, $0.0) < ($1.1.zoom, $1.0) }.map(\.1.element)
        return GroundDrawing(color: MapTheme.ground, elements: ordered)
    }
}
