import Foundation
import Geodesy
import PluginKit

/// A box of a spatial index in degrees, rounded outwards.
struct IndexBox: BitwiseCopyable, Sendable {
    var south: Float
    var west: Float
    var north: Float
    var east: Float

    static let empty = IndexBox(
        south: .infinity, west: .infinity, north: -.infinity, east: -.infinity)

    mutating func include(_ other: IndexBox) {
        south = min(south, other.south)
        west = min(west, other.west)
        north = max(north, other.north)
        east = max(east, other.east)
    }

    mutating func include(latitude: Double, longitude: Double) {
        south = min(south, Float(latitude).nextDown)
        west = min(west, Float(longitude).nextDown)
        north = max(north, Float(latitude).nextUp)
        east = max(east, Float(longitude).nextUp)
    }
}

/// A packed R-tree: boxes sorted along a Hilbert curve, with sixteen children per node.
///
/// Method: Kamel and Faloutsos 1993, laid out in one array as in flatbush. The leaves come first, the root last.
enum PackedTree {
    static let fanOut = 16

    /// The boxes of all levels, and the item of each leaf. `check` throws to cancel.
    static func build(
        _ items: [IndexBox], _ check: () throws -> Void
    ) rethrows -> (boxes: [IndexBox], order: [Int32]) {
        guard !items.isEmpty else { return ([], []) }
        var whole = IndexBox.empty
        for item in items { whole.include(item) }
        var keys = try items.enumerated().map { index, box in
            if index % RoutingSettings.rowStep == 0 { try check() }
            return (key: hilbertKey(of: box, in: whole), index: UInt32(index))
        }
        try RadixSort.sort(&keys, check)
        let order = keys.map { Int32($0.index) }
        var boxes = order.map { items[Int($0)] }
        var level = 0..<boxes.count
        while level.count > 1 {
            for start in stride(from: level.lowerBound, to: level.upperBound, by: fanOut) {
                var box = IndexBox.empty
                for child in start..<min(start + fanOut, level.upperBound) { box.include(boxes[child]) }
                boxes.append(box)
            }
            level = level.upperBound..<boxes.count
        }
        return (boxes, order)
    }

    /// The start of each level, the leaves first, and the end of the last.
    static func levels(items: Int) -> [Int] {
        var starts = [0]
        var (count, end) = (items, items)
        starts.append(end)
        while count > 1 {
            count = (count + fanOut - 1) / fanOut
            end += count
            starts.append(end)
        }
        return starts
    }

    private static func hilbertKey(of box: IndexBox, in whole: IndexBox) -> UInt64 {
        let x = (Double(box.west) + Double(box.east)) / 2
        let y = (Double(box.south) + Double(box.north)) / 2
        return Hilbert.key(
            x: Hilbert.cell(x, from: Double(whole.west), to: Double(whole.east)),
            y: Hilbert.cell(y, from: Double(whole.south), to: Double(whole.north)))
    }
}
