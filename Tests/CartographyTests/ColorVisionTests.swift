import Foundation
import Testing

@testable import Cartography
@testable import Pictures

/// Whether elements that must be distinguishable are so for readers with colour vision deficiency:
/// simulated after Machado, Oliveira and Fernandes (2009), "A physiologically-based model for simulation of
/// color vision deficiency", severity 1.0; differences by CIEDE2000.
@Suite("Colours with colour vision deficiency")
struct ColorVisionTests {
    /// The matrices of the paper for linear red, green and blue.
    private static let visions: [(name: String, matrix: [[Double]])] = [
        ("typical", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        (
            "protanopia",
            [
                [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ]
        ),
        (
            "deuteranopia",
            [
                [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ]
        ),
        (
            "tritanopia",
            [
                [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ]
        ),
    ]

    /// Differences below 2.3 are not noticed side by side; lines apart from each other need several times as much.
    private static let least = 8.0

    @Test("colour differences match the published examples")
    func published() {
        // Sharma, Wu and Dalal (2005), table 1, pairs 1, 2, 7, 17, 20 and 25.
        let pairs: [(Lab, Lab, Double)] = [
            (Lab(50, 2.6772, -79.7751), Lab(50, 0, -82.7485), 2.0425),
            (Lab(50, 3.1571, -77.2803), Lab(50, 0, -82.7485), 2.8615),
            (Lab(50, 0, 0), Lab(50, -1, 2), 2.3669),
            (Lab(50, 2.5, 0), Lab(73, 25, -18), 27.1492),
            (Lab(50, 2.5, 0), Lab(58, 24, 15), 19.4535),
            (Lab(60.2574, -34.0099, 36.2677), Lab(60.4626, -34.1751, 39.4387), 1.2644),
        ]
        for (a, b, expected) in pairs { #expect(abs(a.difference(to: b) - expected) < 0.0001) }
    }

    @Test(
        "grades of trails, tracks, streams, contours, routes and recordings keep apart, and are seen on the ground",
        arguments: MapStyle.Palette.allCases)
    func apart(_ palette: MapStyle.Palette) throws {
        let style = MapStyle.builtIn(palette)
        func line(_ name: String) throws -> (String, Color) {
            let kind = try #require(MapKinds.byName[name])
            return (name, try #require(style.lines.first { $0.kind == kind }).color)
        }
        func area(_ name: String) throws -> (String, Color) {
            let kind = try #require(MapKinds.byName[name])
            return (name, try #require(style.areas.first { $0.kind == kind }).fill)
        }
        let lines =
            try ["path", "path-mountain", "path-alpine", "path-expert", "track", "stream"].map(line)
            + [
                ("contour", try #require(style.contours).color), ("route", MapTheme.narrowRoute.stroke.color),
                ("recording", MapTheme.narrowTrack.stroke.color),
            ]
        let grounds = try ["wood", "meadow", "rock", "scree"].map(area) + [("ground", style.ground)]
        for vision in Self.visions {
            for (index, a) in lines.enumerated() {
                let seen = Lab(a.1, through: vision.matrix)
                for b in lines[(index + 1)...] + grounds {
                    let difference = seen.difference(to: Lab(b.1, through: vision.matrix))
                    #expect(
                        difference >= Self.least,
                        "\(vision.name), \(palette): \(a.0) and \(b.0) differ by \(difference)")
                }
            }
        }
    }

    @Test("the classes of a coloured track are distinguishable, and ordered in grey")
    func scale() {
        let colors = TrackScale.colors
        for vision in Self.visions {
            let seen = (colors + [TrackScale.unknownColor]).map { Lab($0, through: vision.matrix) }
            for (index, a) in seen.enumerated() {
                for b in seen[(index + 1)...] {
                    #expect(a.difference(to: b) >= Self.least, "\(vision.name), class \(index)")
                }
            }
        }
        // A monochrome printer preserves only lightness.
        let lightness = colors.map { Lab($0, through: Self.visions[0].matrix).l }
        for (low, high) in zip(lightness, lightness.dropFirst()) { #expect(high - low >= Self.least) }
    }

    @Test(
        "routes and recordings are distinguishable from trails in grey, by lightness or by their casing and width"
    )
    func grey() throws {
        let style = MapStyle.builtIn(.print)
        let kinds = ["path", "path-mountain", "path-alpine", "path-expert", "track"].compactMap {
            MapKinds.byName[$0]
        }
        for overlay in [MapTheme.narrowRoute, MapTheme.narrowTrack] {
            // No trail is drawn without gaps, in a casing, or as wide.
            #expect(overlay.stroke.dash.isEmpty && overlay.casing != nil)
            for rule in style.lines where kinds.contains(rule.kind) {
                #expect(!rule.dash.isEmpty)
                #expect(overlay.stroke.width > rule.width.at(15))
            }
        }
    }

    @Test("grades of trails are distinguishable without colour, by their dashes")
    func dashes() throws {
        let style = MapStyle.builtIn(.print)
        let dashes = try ["path", "path-mountain", "path-alpine", "path-expert", "track-good"].map { name in
            let kind = try #require(MapKinds.byName[name])
            return try #require(style.lines.first { $0.kind == kind }).dash
        }
        #expect(Set(dashes).count == dashes.count)
    }
}

/// A colour by lightness and two opponents (CIE 1976, D65).
private struct Lab {
    let l, a, b: Double

    init(_ l: Double, _ a: Double, _ b: Double) { (self.l, self.a, self.b) = (l, a, b) }

    init(_ color: Color, through matrix: [[Double]]) {
        let linear = [color.red, color.green, color.blue].map { byte in
            let value = Double(byte) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let seen = matrix.map { row in max(0, min(1, zip(row, linear).map(*).reduce(0, +))) }
        func f(_ value: Double) -> Double {
            value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
        }
        let x = f((0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2]) / 0.95047)
        let y = f(0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2])
        let z = f((0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2]) / 1.08883)
        self.init(116 * y - 16, 500 * (x - y), 200 * (y - z))
    }

    /// CIEDE2000, by the formulas of Sharma, Wu and Dalal (2005).
    func difference(to other: Lab) -> Double {
        func sine(_ degrees: Double) -> Double { sin(degrees * .pi / 180) }
        func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
        let mean = (hypot(a, b) + hypot(other.a, other.b)) / 2
        let grey = 1 + 0.5 * (1 - (pow(mean, 7) / (pow(mean, 7) + pow(25, 7))).squareRoot())
        let (c1, c2) = (hypot(a * grey, b), hypot(other.a * grey, other.b))
        func hue(_ a: Double, _ b: Double) -> Double {
            if a == 0, b == 0 { return 0 }
            let angle = atan2(b, a) * 180 / .pi
            return angle < 0 ? angle + 360 : angle
        }
        let (h1, h2) = (hue(a * grey, b), hue(other.a * grey, other.b))
        var turn = c1 * c2 == 0 ? 0 : h2 - h1
        if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
        let dh = 2 * (c1 * c2).squareRoot() * sine(turn / 2)
        let (l, c) = ((self.l + other.l) / 2, (c1 + c2) / 2)
        var h = h1 + h2
        if c1 * c2 != 0 {
            h = abs(h1 - h2) <= 180 ? h / 2 : h < 360 ? (h + 360) / 2 : (h - 360) / 2
        }
        let t1 = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h)
        let t = t1 + 0.32 * cosine(3 * h + 6) - 0.20 * cosine(4 * h - 63)
        let sl = 1 + 0.015 * (l - 50) * (l - 50) / (20 + (l - 50) * (l - 50)).squareRoot()
        let (sc, sh) = (1 + 0.045 * c, 1 + 0.015 * c * t)
        let rc = 2 * (pow(c, 7) / (pow(c, 7) + pow(25, 7))).squareRoot()
        let rt = -sine(60 * exp(-((h - 275) / 25) * ((h - 275) / 25))) * rc
        let (x, y, z) = ((other.l - self.l) / sl, (c2 - c1) / sc, dh / sh)
        return (x * x + y * y + z * z + rt * y * z).squareRoot()
    }
}
