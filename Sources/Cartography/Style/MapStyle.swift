import Core
import Foundation
import Pictures

/// The style of a map: rules by kind and zoom, read from a file.
public struct MapStyle: Sendable, Hashable {
    /// The colour variant of a style file.
    public enum Palette: String, Sendable, Hashable, CaseIterable {
        /// For screens.
        case light
        /// For screens at night.
        case dark
        /// For paper: white ground, little ink.
        case print
    }

    /// The background.
    var ground = Color.white
    /// The light halo of letters and paths.
    var halo = Color.white
    var areas: [AreaRule] = []
    var outlines: [LineRule] = []
    var lines: [LineRule] = []
    var symbols: [SymbolRule] = []
    var labels: [LabelRule] = []
    var contours: ContourRule?
    /// The names of kinds in a legend, in its order.
    var legend: [LegendRule] = []
    var relief = ReliefRule()
    /// The classes of slopes, from the gentlest.
    var slopes: [SlopeRule] = []
    /// A fingerprint of the style, part of the name of derived files.
    let digest: String

    /// The built-in style.
    public static func builtIn(_ palette: Palette) -> MapStyle {
        switch palette {
        case .light: light
        case .dark: dark
        case .print: paper
        }
    }

    private static let light = builtInStyle(.light)
    private static let dark = builtInStyle(.dark)
    private static let paper = builtInStyle(.print)

    private static func builtInStyle(_ palette: Palette) -> MapStyle {
        // A test reads the built-in file.
        (try? MapStyle(builtInText, palette: palette)) ?? MapStyle(digest: "")
    }

    /// The text of the built-in style, as a template.
    static var builtInText: String { String(decoding: PackageResources.topo_style, as: UTF8.self) }

    private init(digest: String) { self.digest = digest }

    /// Reads a style; throws `E-MAP-STYLE` with the invalid line.
    public init(_ text: String, palette: Palette = .light, file: String = "style") throws(RutterError) {
        self.init(digest: "\(palette.rawValue)-\(String(FNV1a.hash(text.utf8), radix: 16))")
        var reader = StyleReader(palette: palette, file: file)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            try reader.read(line, number: number + 1, into: &self)
        }
        ground = reader.colors["ground"] ?? ground
        halo = reader.colors["halo"] ?? halo
    }

    /// Whether a name is that of a built-in style.
    public static func isBuiltIn(_ name: String) -> Bool { Palette(rawValue: name) != nil }

    /// The style with a name, or from a file.
    public static func named(_ name: String) throws(RutterError) -> MapStyle {
        if let palette = Palette(rawValue: name) { return builtIn(palette) }
        let url = URL(fileURLWithPath: name)
        let text: String
        do {
            let handle = try FileHandle(forReadingFrom: url)
            let data = try handle.read(upToCount: largestFile + 1) ?? Data()
            guard data.count <= largestFile, let read = String(data: data, encoding: .utf8) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            text = read
        } catch {
            throw MapErrors.style(
                "\(name) is neither light, dark, print nor a style file that can be read",
                suggestion: Suggestion.nearest(to: name, in: Palette.allCases.map(\.rawValue)))
        }
        return try MapStyle(text, file: url.lastPathComponent)
    }

    private static let largestFile = 1 << 20

}

/// A number that depends on the zoom.
struct ZoomStops: Sendable, Hashable {
    var stops: [(zoom: Double, value: Double)]

    init(_ value: Double) { stops = [(0, value)] }

    /// Parses `6:1,10:2.5` or a number.
    init?(_ text: Substring) {
        var stops: [(zoom: Double, value: Double)] = []
        if let value = Double(text), value.isFinite { stops = [(0, value)] }
        for part in stops.isEmpty ? text.split(separator: ",") : [] {
            let sides = part.split(separator: ":")
            guard sides.count == 2, let zoom = Double(sides[0]), let value = Double(sides[1]),
                zoom.isFinite, value.isFinite, zoom > stops.last?.zoom ?? -1
            else { return nil }
            stops.append((zoom, value))
        }
        if stops.isEmpty { return nil }
        self.stops = stops
    }

    /// The value at a zoom, linearly interpolated between its stops.
    func at(_ zoom: Double) -> Double {
        guard let first = stops.first, let last = stops.last else { return 0 }
        if zoom <= first.zoom { return first.value }
        for (a, b) in zip(stops, stops.dropFirst()) where zoom <= b.zoom {
            return a.value + (b.value - a.value) * (zoom - a.zoom) / (b.zoom - a.zoom)
        }
        return last.value
    }

    /// The value of the last stop at or below a zoom: for discrete changes.
    func step(_ zoom: Double) -> Double {
        stops.last { $0.zoom <= zoom }?.value ?? stops.first?.value ?? 0
    }

    static func == (a: ZoomStops, b: ZoomStops) -> Bool {
        a.stops.elementsEqual(b.stops) { $0.zoom == $1.zoom && $0.value == $1.value }
    }

    func hash(into hasher: inout Hasher) {
        for stop in stops {
            hasher.combine(stop.zoom)
            hasher.combine(stop.value)
        }
    }
}

/// The zooms of a rule.
struct ZoomRange: Sendable, Hashable {
    var from: Double
    var below: Double

    func contains(_ zoom: Double) -> Bool { zoom >= from && zoom < below }
}

/// The fill of areas of a kind.
struct AreaRule: Sendable, Hashable {
    var kind: Int
    var zooms: ZoomRange
    var fill: Color
    var edge: Color?
    var width: ZoomStops
    /// Whether it is drawn above the relief, as water and buildings are.
    var isAbove: Bool
}

/// The drawing of lines of a kind.
struct LineRule: Sendable, Hashable {
    var kind: Int
    var zooms: ZoomRange
    var color: Color
    var width: ZoomStops
    var dash: [Double]
    var opacity: Double
    /// A darker rim on both sides.
    var casing: Color?
    var edge: Double
    /// A light rim that separates it from the background.
    var glow: Color?
    /// A lighter dashed core, as of railways.
    var inner: Color?
    var gap: Double
    /// Strokes across, at an interval in points: lifts.
    var ticks: Double?
    /// Teeth on the right side, at an interval in points: cliffs.
    var teeth: Double?
    /// Whether areas above hide it: rivers below lakes.
    var isBelow: Bool
}

/// The marks of points of a kind.
struct SymbolRule: Sendable, Hashable {
    var kind: Int
    var zooms: ZoomRange
    var shape: MapSymbol
    var color: Color
    var size: ZoomStops
}

/// The labels of features of a kind.
struct LabelRule: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        /// Around the point.
        case center
        /// Beside its symbol.
        case beside
        /// Along its line.
        case along
        /// In the area, if it has enough space.
        case room
    }

    var kind: Int
    var zooms: ZoomRange
    var place: Place
    var size: ZoomStops
    var color: Color
    var isBold: Bool
    /// Whether the height follows the name.
    var hasValue: Bool
}

/// The name of a kind in a legend.
struct LegendRule: Sendable, Hashable {
    var kind: Int
    var words: String
}

/// The drawing of contours.
struct ContourRule: Sendable, Hashable {
    var zooms: ZoomRange
    /// Metres between lines; every fifth is bold.
    var step: ZoomStops
    var width: ZoomStops
    var bold: ZoomStops
    var color: Color
    var label: Color
    var size: Double
}

/// The shading of relief.
struct ReliefRule: Sendable, Hashable {
    var shadow = 0.0
    var highlight = 0.0
    var exaggeration = ZoomStops(1)
}
