import Core
import Foundation
import TrailStores

/// A block of features as stored: those of a cell at a level of detail.
struct StoredMapCell: Sendable {
    var level: Int
    var features: Int
    /// The size of the inflated bytes.
    var size: Int
    var bytes: Data
    var box: MapBox
}

/// Divides the features of a map into cells.
struct MapCells {
    private let contents: MapContents
    /// Whether the simplified features of a level stay in memory while its cells are encoded. Otherwise they are
    /// simplified twice, so that only those of one cell are in memory.
    private let holdsLevels: Bool

    init(_ contents: MapContents, holdsLevels: Bool) {
        (self.contents, self.holdsLevels) = (contents, holdsLevels)
    }

    /// Features between two checks for cancellation.
    private static let step = 1000

    /// Passes the cells of all levels, in order. `check` throws to cancel.
    func forEach(_ check: () throws -> Void, _ take: (StoredMapCell) throws -> Void) throws {
        for level in MapLevel.all.indices { try forEach(level, check, take) }
    }

    private func forEach(
        _ level: Int, _ check: () throws -> Void, _ take: (StoredMapCell) throws -> Void
    ) throws {
        var space = MapContents.Workspace()
        var held = PackedFeatures()
        let placed = try placed(level, &held, &space, check)
        var start = 0
        while start < placed.count {
            let cell = placed[start].key >> Self.kindBits
            var end = start
            while end < placed.count, placed[end].key >> Self.kindBits == cell { end += 1 }
            var writer = FeatureWriter(count: end - start, level: level)
            for index in start..<end {
                if index % Self.step == 0 { try check() }
                if holdsLevels {
                    writer.add(held, Int(placed[index].index), contents.names)
                } else {
                    held.removeAll()
                    if contents.simplify(Int(placed[index].index), level: level, into: &held, &space) {
                        writer.add(held, 0, contents.names)
                    }
                }
            }
            try check()
            try take(
                StoredMapCell(
                    level: level, features: end - start, size: writer.bytes.count,
                    bytes: RawDeflate.deflate(writer.bytes), box: writer.box))
            start = end
        }
    }

    /// Bits of a kind, and of a row or column of cells.
    private static let kindBits: UInt64 = 16
    private static let cellBits: UInt64 = 14

    /// The features of a level in the order of their cells (by zoom, row and column), then by kind, then in
    /// input order: the number of each among those held, or in the contents.
    private func placed(
        _ level: Int, _ held: inout PackedFeatures, _ space: inout MapContents.Workspace,
        _ check: () throws -> Void
    ) throws -> [(key: UInt64, index: UInt32)] {
        var placed: [(key: UInt64, index: UInt32)] = []
        let facts = MapLevel.all[level]
        let isShown = MapKinds.all.map { $0.zoom <= facts.nearest }
        for feature in 0..<contents.count {
            if feature % Self.step == 0 { try check() }
            let kind = contents.head(of: feature).kind
            guard isShown[Int(kind)] else { continue }
            if !holdsLevels { held.removeAll() }
            guard contents.simplify(feature, level: level, into: &held, &space) else { continue }
            let box = held.box(of: held.count - 1)
            placed.append(
                (
                    Self.cell(of: box, facts.cells) << Self.kindBits | UInt64(kind),
                    UInt32(holdsLevels ? held.count - 1 : feature)
                ))
        }
        try RadixSort.sort(&placed, check)
        return placed
    }

    /// The cell of a box as a number in the order of zoom, row and column.
    private static func cell(of box: MapBox, _ cells: Int) -> UInt64 {
        var zoom = cells
        // Features larger than a cell are stored in a larger one.
        while zoom > 0, max(box.width, box.height) > Int(MapLevel.world) >> zoom { zoom -= 1 }
        let shift = MapLevel.worldBits - zoom
        let x = ((Int(box.minX) + Int(box.maxX)) / 2) >> shift
        let y = ((Int(box.minY) + Int(box.maxY)) / 2) >> shift
        return (UInt64(zoom) << cellBits | UInt64(y)) << cellBits | UInt64(x)
    }
}
