import Cartography
import Foundation
import Geodesy
import Pictures
import PluginKit
import Synchronization

/// The base map of the page as tiles: the topographic map of a region, or other base maps of plugins
/// (`BaseMap`), drawn like other pictures.
final class TilePages: Sendable {
    /// Supported pixels per point.
    private static let scales: ClosedRange<Int> = 1...3
    /// Zoom levels with a base map: below the first a region is smaller than a tile.
    static let zooms = 6...19
    /// Points around a tile from which lines may extend into it.
    private static let edge = 12.0

    /// The styles that a page can request, with the names of the map's styles.
    private enum Style: String {
        case light, dark

        /// The background colour; `nil` for that of other pictures.
        var ground: Color? { self == .dark ? Color(0x171B1F) : nil }
    }

    private let entries: any EntryRunning
    private let cache = TileCache(limit: WebSettings.tileCacheBytes)
    /// The attributions of the tiles drawn so far, by address.
    private let credits = Mutex<[TileAddress: String]>([:])

    init(entries: any EntryRunning) { self.entries = entries }

    /// The tile of a path such as `/tiles/14/8214/8180@2.png`, or `/tiles/dark/14/8214/8180.png` in the dark
    /// style.
    func response(to path: Substring) async -> WebResponse {
        if path.hasPrefix("/tiles/attribution/") {
            guard let shown = Self.range(in: path) else { return .text(404, "unknown tiles\n") }
            let known = credits.withLock { credits in Set(shown.compactMap { credits[$0] }) }
            // Nothing is drawn in view, which is not the same as a map that needs no credit.
            if known.isEmpty { return WebResponse(status: 204) }
            return .text(200, known.filter { !$0.isEmpty }.sorted().joined(separator: " · "))
        }
        guard let (address, scale, style) = Self.address(in: path) else {
            return .text(404, "unknown tile\n")
        }
        let key = String(path)
        let headers = [("Content-Type", "image/png"), ("Cache-Control", "no-cache")]
        if let known = cache[key] {
            return known.isEmpty
                ? WebResponse(status: 204) : WebResponse(status: 200, headers: headers, body: known)
        }
        let round = cache.round
        do {
            let bytes = try draw(address, scale, style, try await entries.context())
            cache.keep(bytes ?? [], for: key, round: round)
            guard let bytes else { return WebResponse(status: 204) }
            return WebResponse(status: 200, headers: headers, body: bytes)
        } catch let error as RutterError {
            credit("", for: address)
            return .text(500, "\(error.code): \(error.message)\n")
        } catch {
            credit("", for: address)
            return .text(500, "the tile cannot be drawn: \(error)\n")
        }
    }

    /// Clears the cache, because the map data may have changed.
    func forget() { cache.clear() }

    /// The tiles of a path such as `/tiles/attribution/14/8214/8180/8216/8182`: zoom, first column and row, last column and row. A first
    /// column greater than the last is west of the 180th meridian.
    private static func range(in path: Substring) -> [TileAddress]? {
        let numbers = path.split(separator: "/").dropFirst(2).map { Int($0) }
        let parts = numbers.compactMap(\.self)
        guard numbers.count == 5, parts.count == 5, zooms.contains(parts[0]) else { return nil }
        let (zoom, count) = (parts[0], 1 << parts[0])
        let (west, north, east, south) = (parts[1], parts[2], parts[3], parts[4])
        guard [west, north, east, south].allSatisfy({ (0..<count).contains($0) }), north <= south else {
            return nil
        }
        let columns = (east - west + count) % count + 1
        guard columns * (south - north + 1) <= WebSettings.creditedTiles.asked else { return nil }
        return (0..<columns).flatMap { column in
            (north...south).map { TileAddress(zoom: zoom, x: (west + column) % count, y: $0) }
        }
    }

    private func credit(_ text: String, for address: TileAddress) {
        let isFull = credits.withLock { credits in
            let isFull = credits.count >= WebSettings.creditedTiles.kept
            if isFull { credits.removeAll() }
            credits[address] = text
            return isFull
        }
        // A tile that is kept is not credited again.
        if isFull { cache.clear() }
    }

    private static func address(in path: Substring) -> (TileAddress, Int, Style)? {
        var parts = path.split(separator: "/")
        var style = Style.light
        if parts.count == 5, let named = Style(rawValue: String(parts[1])) {
            style = named
            parts.remove(at: 1)
        }
        guard parts.count == 4, parts[0] == "tiles", parts[3].hasSuffix(".png") else { return nil }
        let last = parts[3].dropLast(4).split(separator: "@", omittingEmptySubsequences: false)
        guard let zoom = Int(parts[1]), zooms.contains(zoom), let x = Int(parts[2]), let y = Int(last[0]),
            let scale = last.count == 1 ? 1 : last.count == 2 ? Int(last[1]) : nil, scales.contains(scale)
        else { return nil }
        let count = 1 << zoom
        guard (0..<count).contains(x), (0..<count).contains(y) else { return nil }
        return (TileAddress(zoom: zoom, x: x, y: y), scale, style)
    }

    /// A tile as PNG; `nil` if there is no data for the area.
    private func draw(
        _ address: TileAddress, _ scale: Int, _ style: Style, _ context: Context
    ) throws -> [UInt8]? {
        let view = MapView(of: address, edge: Self.edge)
        let base = try BaseMapChoice(of: view.bounds, context)
        let tile = MapView(of: address)
        if let ground = base.ground {
            let drawing = try ground.drawing(of: tile, style: style.rawValue, blocked: [])
            credit(drawing.attribution ?? ground.attribution, for: address)
            return Array(try ScenePNG.render(drawing.scene(size: tile.size), scale: Double(scale)))
        }
        let ways = try base.ways
        if ways.isEmpty { return nil }
        credit(base.attribution, for: address)
        let map = MapScene(
            view: tile, features: ways, furniture: MapFurniture(scale: nil, compass: false))
        let plain = style.ground.map { GroundDrawing(color: $0, elements: []) }
        let scene = map.scene(check: {}) { _ in plain }
        return Array(try ScenePNG.render(scene, scale: Double(scale)))
    }
}

/// A cache of drawn tiles by last use, limited in bytes.
private final class TileCache: Sendable {
    private struct State: Sendable {
        var tiles: [String: (bytes: [UInt8], use: Int)] = [:]
        var bytes = 0
        var uses = 0
        var round = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Counts the calls of `clear`: a tile started before the last one is not stored.
    var round: Int { state.withLock { $0.round } }

    subscript(key: String) -> [UInt8]? {
        state.withLock { state in
            guard let known = state.tiles[key] else { return nil }
            state.uses += 1
            state.tiles[key]?.use = state.uses
            return known.bytes
        }
    }

    func keep(_ bytes: [UInt8], for key: String, round: Int) {
        state.withLock { state in
            guard state.round == round, state.tiles[key] == nil else { return }
            state.uses += 1
            state.tiles[key] = (bytes, state.uses)
            state.bytes += bytes.count + key.utf8.count
            guard state.bytes > limit else { return }
            // Removes half of them at a time, so that they are rarely sorted.
            for (key, tile) in state.tiles.sorted(by: { $0.value.use < $1.value.use })
            where state.bytes > limit / 2 {
                state.tiles[key] = nil
                state.bytes -= tile.bytes.count + key.utf8.count
            }
        }
    }

    func clear() {
        state.withLock { state in
            state.tiles = [:]
            state.bytes = 0
            state.round += 1
        }
    }
}
