import Foundation

/// A layout of the beacons of a compass without overlapping dots and labels.
struct CompassLayout {
    /// A beacon's dot on the rim and the line of its label.
    struct Spot {
        /// The true direction in degrees clockwise from ahead, and the direction of its dot.
        var bearing: Double
        var drawn: Double
        /// Whether its label is on the right.
        var isRight: Bool
        /// The height of its label, from the centre downwards.
        var labelY: Double
    }

    /// In the order of the beacons.
    let spots: [Spot]

    /// Degrees between the middles of two dots, and the height of a line of a label.
    static let dotGap = 6.5
    static let lineHeight = 18.0

    /// A layout of relative bearings on a rim.
    init(_ bearings: [Double], radius: Double) {
        let drawn = Self.spread(bearings, gap: min(Self.dotGap, 360 / Double(max(1, bearings.count))))
        var spots = zip(bearings, drawn).map { bearing, drawn in
            Spot(
                bearing: bearing, drawn: drawn, isRight: sin(drawn.radians) >= 0,
                labelY: -radius * cos(drawn.radians))
        }
        for isRight in [true, false] {
            let side = spots.indices.filter { spots[$0].isRight == isRight }
                .sorted { (spots[$0].labelY, $0) < (spots[$1].labelY, $1) }
            let lines = Self.apart(side.map { spots[$0].labelY }, gap: Self.lineHeight)
            for (index, line) in zip(side, lines) { spots[index].labelY = line }
        }
        self.spots = spots
    }

    /// Half the height that the labels need.
    var reach: Double { spots.map { abs($0.labelY) }.max() ?? 0 }

    /// Directions moved as little as needed so that neighbours are a gap apart, in the same order round the circle.
    private static func spread(_ bearings: [Double], gap: Double) -> [Double] {
        guard bearings.count > 1 else { return bearings }
        let order = bearings.indices.sorted { (bearings[$0], $0) < (bearings[$1], $1) }
        // The circle is cut where the gap between neighbours is widest.
        let widest =
            order.indices.max { a, b in
                Self.step(order, bearings, a) < Self.step(order, bearings, b)
            } ?? 0
        let first = (widest + 1) % order.count
        let turned = order.indices.map { order[(first + $0) % order.count] }
        let start = bearings[turned[0]]
        let line = turned.map { (bearings[$0] - start + 360).truncatingRemainder(dividingBy: 360) }
        var result = bearings
        for (index, place) in zip(turned, apart(line, gap: gap)) {
            result[index] = (start + place + 720).truncatingRemainder(dividingBy: 360)
        }
        return result
    }

    private static func step(_ order: [Int], _ bearings: [Double], _ index: Int) -> Double {
        let next = bearings[order[(index + 1) % order.count]]
        let step = next - bearings[order[index]]
        return step < 0 || index == order.count - 1 ? step + 360 : step
    }

    /// Sorted positions moved as little as needed so that neighbours are a gap apart: groups that touch are
    /// centred on the mean of their original positions.
    static func apart(_ places: [Double], gap: Double) -> [Double] {
        var groups: [(sum: Double, count: Int)] = []
        for place in places {
            groups.append((place, 1))
            while groups.count > 1 {
                let (last, before) = (groups[groups.count - 1], groups[groups.count - 2])
                let distance = last.sum / Double(last.count) - before.sum / Double(before.count)
                guard distance < gap * Double(last.count + before.count) / 2 - 1e-9 else { break }
                groups.removeLast(2)
                groups.append((last.sum + before.sum, last.count + before.count))
            }
        }
        return groups.flatMap { group in
            (0..<group.count).map {
                group.sum / Double(group.count) + gap * (Double($0) - Double(group.count - 1) / 2)
            }
        }
    }
}
