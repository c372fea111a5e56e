import Pictures

/// The symbols of points: outlines on a grid of 10, filled even-odd, around its centre.
enum MapSymbol: String, Sendable, Hashable, CaseIterable {
    case dot, ring, square, peak, saddle, hut, shelter, tent, church, cross, castle, tower, cave, drop, fall
    case view, parking, station, bed, fork, plus, table, signpost

    /// The outline; `nil` for circles.
    var path: PathData? { Self.paths[self] }

    private static let paths: [MapSymbol: PathData] = Dictionary(
        uniqueKeysWithValues: outlines.compactMap { symbol, text in PathData(text).map { (symbol, $0) } })

    private static let outlines: [(MapSymbol, String)] = [
        (.square, "M 1 1 H 9 V 9 H 1 Z"),
        (.peak, "M 5 0.5 L 9.6 9 H 0.4 Z"),
        (
            .saddle,
            "M 0 1 C 3 3 3 7 0 9 H 1.6 C 4.6 7 4.6 3 1.6 1 Z M 10 1 C 7 3 7 7 10 9 H 8.4 C 5.4 7 5.4 3 8.4 1 Z"
        ),
        (.hut, "M 5 0.3 L 10 4.8 H 8.6 V 9.6 H 1.4 V 4.8 H 0 Z M 4 6 H 6 V 9.6 H 4 Z"),
        (.shelter, "M 5 0.8 L 10 4.6 H 8.8 V 9.4 H 7.6 V 4.6 H 2.4 V 9.4 H 1.2 V 4.6 H 0 Z"),
        (.tent, "M 5 0.8 L 10 9.2 H 0 Z M 5 4.6 L 2.9 9.2 H 7.1 Z"),
        (
            .church,
            "M 4.5 0 H 5.5 V 1.4 H 6.9 V 2.4 H 5.5 V 3.8 H 8.4 V 10 H 1.6 V 3.8 H 4.5 V 2.4 H 3.1 V 1.4 H 4.5 Z"
        ),
        (.cross, "M 4.3 0 H 5.7 V 2.6 H 8.2 V 4 H 5.7 V 10 H 4.3 V 4 H 1.8 V 2.6 H 4.3 Z"),
        (
            .castle,
            "M 0.6 1 H 2.4 V 2.6 H 4.1 V 1 H 5.9 V 2.6 H 7.6 V 1 H 9.4 V 9.4 H 6.2 V 6.4 H 3.8 V 9.4 H 0.6 Z"
        ),
        (.tower, "M 3.6 0.4 H 6.4 V 3.4 H 6 L 7.6 9.8 H 2.4 L 4 3.4 H 3.6 Z"),
        (.cave, "M 0.4 9.2 V 6 C 0.4 -1.2 9.6 -1.2 9.6 6 V 9.2 H 7.4 V 6 C 7.4 2.2 2.6 2.2 2.6 6 V 9.2 Z"),
        (
            .drop,
            "M 5 0.2 C 5 0.2 1.4 4.6 1.4 6.6 C 1.4 8.7 3 9.9 5 9.9 C 7 9.9 8.6 8.7 8.6 6.6 C 8.6 4.6 5 0.2 5 0.2 Z"
        ),
        (
            .fall,
            "M 1 0.5 H 9 V 2 H 1 Z M 2 3 H 3.2 V 9.5 H 2 Z M 4.4 3 H 5.6 V 9.5 H 4.4 Z M 6.8 3 H 8 V 9.5 H 6.8 Z"
        ),
        (.view, "M 5 10 L 0.6 2.4 L 2 1.4 L 5 7 L 8 1.4 L 9.4 2.4 Z M 4.2 0 H 5.8 V 4.6 H 4.2 Z"),
        (
            .parking,
            "M 0 0 H 10 V 10 H 0 Z M 3 1.6 H 5.6 C 8.6 1.6 8.6 6.2 5.6 6.2 H 4.6 V 8.6 H 3 Z M 4.6 3 V 4.8 H 5.5 C 6.6 4.8 6.6 3 5.5 3 Z"
        ),
        (.station, "M 0 0 H 10 V 10 H 0 Z M 1.4 1.4 V 8.6 H 8.6 V 1.4 Z M 2.6 2.6 H 7.4 V 7.4 H 2.6 Z"),
        (
            .bed,
            "M 0.4 1.4 H 1.8 V 5.2 H 9.6 V 8.8 H 8.2 V 7.2 H 1.8 V 8.8 H 0.4 Z M 3 2.6 H 6.8 C 8.4 2.6 9.2 3.4 9.2 4.4 H 3 Z"
        ),
        (
            .fork,
            "M 2 0.4 H 4.6 V 4 H 3.9 V 9.6 H 2.7 V 4 H 2 Z M 6 0.4 C 7.6 0.4 8.2 2 8.2 5.2 H 7.2 V 9.6 H 6 Z"
        ),
        (.plus, "M 3.6 0.4 H 6.4 V 3.6 H 9.6 V 6.4 H 6.4 V 9.6 H 3.6 V 6.4 H 0.4 V 3.6 H 3.6 Z"),
        (.table, "M 1 2 H 9 V 3.4 H 7 L 8.6 8.6 H 7.2 L 6.6 6.4 H 3.4 L 2.8 8.6 H 1.4 L 3 3.4 H 1 Z"),
        (
            .signpost,
            "M 4.3 0 H 5.7 V 1 H 8 L 9.8 2.4 L 8 3.8 H 5.7 V 4.6 H 5.7 V 10 H 4.3 V 3.8 H 1.4 V 1 H 4.3 Z"
        ),
    ]

    /// The shapes that draw it at a size.
    func shapes(at: ScenePoint, size: Double, color: Color, halo: Color) -> [SceneShape] {
        let rim = Stroke(halo, width: 1.2)
        switch self {
        case .dot:
            return [
                .circle(center: at, radius: size / 2, fill: Fill(color), stroke: Stroke(halo, width: 0.8))
            ]
        case .ring:
            return [
                .circle(
                    center: at, radius: size / 2, fill: Fill(halo), stroke: Stroke(color, width: size / 5))
            ]
        default:
            guard let path else { return [] }
            let placed = path.placed(at: ScenePoint(at.x - size / 2, at.y - size / 2), scale: size / 10)
            return [.path(placed, fill: nil, stroke: rim), .path(placed, fill: Fill(color), stroke: nil)]
        }
    }

    /// The terminal symbol, and its ASCII variant.
    var characters: (symbol: Character, ascii: Character) {
        switch self {
        case .peak: ("▲", "^")
        case .saddle: ("≍", ")")
        case .hut, .shelter: ("⌂", "H")
        case .tent: ("∆", "A")
        case .church, .cross: ("✝", "+")
        case .castle, .tower: ("♜", "T")
        case .station: ("■", "S")
        case .parking: ("P", "P")
        case .ring, .drop, .fall: ("○", "o")
        default: ("•", ".")
        }
    }
}
