import Core
import Foundation
import Pictures

/// How a map looks: rules by kind and zoom, read from a file.
public struct MapStyle: Sendable, Hashable {
    /// Which of a file's colours are used.
    public enum Palette: String, Sendable, Hashable, CaseIterable {
        /// For screens.
        case light
        /// For screens at night.
        case dark
        /// For paper: white ground, little ink.
        case print
    }

    /// The ground below everything.
    var ground = Color.white
    /// The light rim of letters and of paths.
    var halo = Color.white
    var areas: [AreaRule] = []
    var outlines: [LineRule] = []
    var lines: [LineRule] = []
    var symbols: [SymbolRule] = []
    var labels: [LabelRule] = []
    var contours: ContourRule?
    /// What a legend calls kinds, in its order.
    var legend: [LegendRule] = []
    var relief = ReliefRule()
    /// Changes whenever the style does: part of the name of what is made with it.
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
        // The built-in file is read by a test.
        (try? MapStyle(builtInText, palette: palette)) ?? MapStyle(digest: "")
    }

    /// The text of the built-in style, to begin one's own with.
    public static var builtInText: String { String(decoding: PackageResources.topo_style, as: UTF8.self) }

    private init(digest: String) { self.digest = digest }

    /// Reads a style; throws `E-MAP-STYLE` with the line that cannot be read.
    public init(_ text: String, palette: Palette = .light, file: String = "style") throws(RutterError) {
        self.init(digest: "\(palette.rawValue)-\(Self.fingerprint(text))")
        var reader = StyleReader(palette: palette, file: file)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            try reader.read(line, number: number + 1, into: &self)
        }
        ground = reader.colors["ground"] ?? ground
        halo = reader.colors["halo"] ?? halo
    }

    /// Whether a name is that of a style that comes along.
    public static func isBuiltIn(_ name: String) -> Bool { Palette(rawValue: name) != nil }

    /// The style of a name, or of a file.
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

    /// FNV-1a, 64 bits: tells styles apart, no more.
    private static func fingerprint(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

/// A number that changes with the zoom.
struct ZoomStops: Sendable, Hashable {
    var stops: [(zoom: Double, value: Double)]

    init(_ value: Double) { stops = [(0, value)] }

    /// Reads `6:1,10:2.5` or a number.
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

    /// The value at a zoom, between its stops on a straight line.
    func at(_ zoom: Double) -> Double {
        guard let first = stops.first, let last = stops.last else { return 0 }
        if zoom <= first.zoom { return first.value }
        for (a, b) in zip(stops, stops.dropFirst()) where zoom <= b.zoom {
            return a.value + (b.value - a.value) * (zoom - a.zoom) / (b.zoom - a.zoom)
        }
        return last.value
    }

    /// The value of the last stop at or below a zoom: for what does not change gradually.
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

/// At which zooms a rule holds.
struct ZoomRange: Sendable, Hashable {
    var from: Double
    var below: Double

    func contains(_ zoom: Double) -> Bool { zoom >= from && zoom < below }
}

/// How areas of a kind are filled.
struct AreaRule: Sendable, Hashable {
    var kind: Int
    var zooms: ZoomRange
    var fill: Color
    var edge: Color?
    var width: ZoomStops
    /// Whether it lies above the relief: water and buildings are even.
    var isAbove: Bool
}

/// How lines of a kind are drawn.
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
    /// A light rim that sets it off from the ground.
    var glow: Color?
    /// A lighter dashed core, as of railways.
    var inner: Color?
    var gap: Double
    /// Strokes across, every so many points: lifts.
    var ticks: Double?
    /// Teeth on the right side, every so many points: cliffs.
    var teeth: Double?
    /// Whether areas that are above hide it: rivers below lakes.
    var isBelow: Bool
}

/// How points of a kind are marked.
struct SymbolRule: Sendable, Hashable {
    var kind: Int
    var zooms: ZoomRange
    var shape: MapSymbol
    var color: Color
    var size: ZoomStops
}

/// How things of a kind are labelled.
struct LabelRule: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        /// Around the place.
        case center
        /// Beside its symbol.
        case beside
        /// Along its line.
        case along
        /// In the area, where it has the room.
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

/// What a legend calls a kind.
struct LegendRule: Sendable, Hashable {
    var kind: Int
    var words: String
}

/// How contours are drawn.
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

/// How relief is shaded.
struct ReliefRule: Sendable, Hashable {
    var shadow = 0.0
    var highlight = 0.0
    var exaggeration = ZoomStops(1)
}
