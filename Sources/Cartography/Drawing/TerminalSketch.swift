import Core
import Geodesy
import Pictures

/// Reduces the map to the resolution of a terminal: water and woods as shades, ways as coloured dots, the
/// names of the most important features.
struct TerminalSketch {
    let table: MapTable
    let view: MapView
    /// The units of heights.
    var units = ScaleUnits.metric

    /// A dot is four points wide: features are selected as for a correspondingly lower zoom.
    private static let coarseness = 1.2

    /// Kinds that shade cells, in colours of the 256-colour palette; other land is blank.
    private static let shades: [(kind: String, color: Color, symbol: Character, ascii: Character)] = [
        ("wood", Color(0x005F00), "·", "."), ("glacier", Color(0x5F8787), "*", "*"),
        ("sea", Color(0x005F87), "~", "~"), ("water", Color(0x005F87), "~", "~"),
    ]
    /// Lines that would fill the cells without adding information.
    private static let omitted: Set<String> = [
        "border-4", "border-6", "border-8", "powerline", "cliff", "dam", "siding", "service", "footway",
        "coastline", "runway",
    ]

    /// The visible area.
    func drawn() throws -> TerminalGround {
        // The bright lines of the dark palette are visible on shades.
        let style = MapStyle.builtIn(.dark)
        let frame = MapProjection(view)
        let zoom = view.zoom - Self.coarseness
        var features: [Int: [DrawnFeature]] = [:]
        try table.features(level: MapLevel.serving(view.zoom), in: frame, margin: 8) { feature in
            features[feature.kind, default: []].append(feature)
        }
        var ground = TerminalGround()
        let room = frame.rect(margin: 8)
        // From the largest to the smallest, as in pictures.
        var areas: [(size: Double, area: ([[ScenePoint]], TerminalShade))] = []
        for shade in Self.shades {
            guard let kind = MapKinds.byName[shade.kind] else { continue }
            for feature in features[kind] ?? [] {
                let rings = feature.parts.map(frame.line).map { SceneClipping.area($0, in: room) }
                    .filter { $0.count > 2 }
                if rings.isEmpty { continue }
                let drawn = TerminalShade(color: shade.color, symbol: shade.symbol, ascii: shade.ascii)
                areas.append((feature.largestRing, (rings, drawn)))
            }
        }
        ground.areas = areas.enumerated()
            .sorted { ($1.element.size, $0.offset) < ($0.element.size, $1.offset) }.map(\.element.area)
        for rule in style.lines where rule.zooms.contains(zoom) {
            try Interruption.check()
            let name = MapKinds.all[rule.kind].name
            if Self.omitted.contains(name) { continue }
            let stroke = Stroke(rule.color, width: 1, dash: Self.dash(of: name))
            for feature in features[rule.kind] ?? [] where !feature.flags.contains(.tunnel) {
                for part in feature.parts {
                    ground.lines += SceneClipping.line(frame.line(part), in: room).map { ($0, stroke) }
                }
            }
        }
        var names = TerminalNames(frame: frame, zoom: zoom, units: units)
        try names.add(features, style)
        ground.names = names.symbols
        return ground
    }

    /// Dashes distinguish kinds without colour, too; in points, of which a dot has four.
    private static func dash(of kind: String) -> [Double] {
        if kind.hasPrefix("path") || kind.hasPrefix("track") || kind == "cycleway" { return [8, 8] }
        if kind.hasPrefix("border") { return [4, 12] }
        return kind == "rail" || kind == "lift" ? [16, 4] : []
    }
}
