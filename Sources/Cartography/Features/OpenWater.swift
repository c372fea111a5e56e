/// The sea beyond the features of a file that does not declare what it covers: as far as the ground is known to be sea.
///
/// Otherwise the sea around an island would end in a rectangle around its features.
struct OpenWater {
    let heights: Sea.Heights
    private let settings = SeaSettings()

    private enum Edge: CaseIterable { case west, north, east, south }

    /// The box of a part, grown at each edge beyond which there is nothing but sea. `lines` are its coastlines, `others` the
    /// boxes of other parts, and `limit` the area of the map. `check` throws to cancel.
    func grown(
        _ box: MapBox, lines: [[MapPoint]], others: [MapBox], limit: MapBox?, check: () throws -> Void
    ) rethrows -> MapBox {
        let span = Double(max(box.width, box.height))
        let reach = Int(span * settings.guessedReach)
        let ends = Self.looseEnds(lines)
        var grown = box
        for edge in Edge.allCases
        where !ends.contains(where: { Self.distance(from: $0, to: edge, of: box) <= reach }) {
            for share in settings.openWater {
                try check()
                let strip = Self.strip(beyond: edge, of: grown, by: Int(span * share), limit)
                guard strip.width > 0, strip.height > 0, !others.contains(where: { $0.meets(strip) }),
                    isSea(strip)
                else { continue }
                grown.add(strip)
                break
            }
        }
        return grown
    }

    /// Whether all of an area is known to be at the level of the sea.
    private func isSea(_ area: MapBox) -> Bool {
        let count = settings.sampledRows
        for row in 0..<count {
            for column in 0..<count {
                let place = MapPoint(
                    x: area.minX + Int32(area.width * (2 * column + 1) / (2 * count)),
                    y: area.minY + Int32(area.height * (2 * row + 1) / (2 * count))
                ).coordinate
                guard let height = heights(place.latitude, place.longitude),
                    settings.seaLevel.contains(height)
                else { return false }
            }
        }
        return true
    }

    /// The points at which a coastline begins or ends and no other continues it.
    private static func looseEnds(_ lines: [[MapPoint]]) -> [MapPoint] {
        var balance: [MapPoint: Int] = [:]
        for line in lines {
            guard let first = line.first, let last = line.last else { continue }
            balance[first, default: 0] += 1
            balance[last, default: 0] -= 1
        }
        return balance.filter { $0.value != 0 }.map(\.key)
    }

    private static func distance(from point: MapPoint, to edge: Edge, of box: MapBox) -> Int {
        switch edge {
        case .west: Int(point.x) - Int(box.minX)
        case .east: Int(box.maxX) - Int(point.x)
        case .north: Int(point.y) - Int(box.minY)
        case .south: Int(box.maxY) - Int(point.y)
        }
    }

    private static func strip(beyond edge: Edge, of box: MapBox, by step: Int, _ limit: MapBox?) -> MapBox {
        let last = Int32(MapLevel.world - 1)
        let limit = limit ?? MapBox(minX: 0, minY: 0, maxX: last, maxY: last)
        func clamped(_ value: Int, _ low: Int32, _ high: Int32) -> Int32 {
            Int32(max(Int(low), min(Int(high), value)))
        }
        var strip = box
        switch edge {
        case .west:
            strip.maxX = box.minX
            strip.minX = clamped(Int(box.minX) - step, limit.minX, limit.maxX)
        case .east:
            strip.minX = box.maxX
            strip.maxX = clamped(Int(box.maxX) + step, limit.minX, limit.maxX)
        case .north:
            strip.maxY = box.minY
            strip.minY = clamped(Int(box.minY) - step, limit.minY, limit.maxY)
        case .south:
            strip.minY = box.maxY
            strip.maxY = clamped(Int(box.maxY) + step, limit.minY, limit.maxY)
        }
        return strip
    }
}
