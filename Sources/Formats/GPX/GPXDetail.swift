/// What a point says about its receiver and surroundings. Nothing here makes use of it; it is kept so that files come
/// back whole.
public struct GPXDetail: Sendable, Hashable {
    /// The elements of the schema in its order, then those of the Garmin TrackPointExtension in its.
    public enum Kind: String, Sendable, CaseIterable {
        /// Degrees that a compass needle is off, 0 to below 360.
        case magvar
        /// Metres of the geoid above the ellipsoid.
        case geoidheight
        /// Which device it came from.
        case src
        /// `none`, `2d`, `3d`, `dgps` or `pps`.
        case fix
        /// How many satellites.
        case sat
        /// Dilution of precision across.
        case hdop
        /// Dilution of precision up and down.
        case vdop
        /// Dilution of precision in all.
        case pdop
        /// Seconds since the last correction.
        case ageofdgpsdata
        /// The station that corrections came from, 0 to 1023.
        case dgpsid
        /// Degrees Celsius of the water.
        case wtemp
        /// Metres below the surface of the water.
        case depth
    }

    /// Which.
    public let kind: Kind
    /// Its value as it is written.
    public let text: String

    /// A detail; `nil` where the schema does not allow the value.
    public init?(_ kind: Kind, _ text: String) {
        guard kind.allows(text) else { return nil }
        self.kind = kind
        self.text = text
    }
}

extension GPXDetail.Kind {
    private static let fixes: Set = ["none", "2d", "3d", "dgps", "pps"]
    private static let stations = 0...1023

    /// Whether it belongs to the TrackPointExtension.
    var isExtension: Bool {
        switch self {
        case .wtemp, .depth: true
        default: false
        }
    }

    fileprivate func allows(_ text: String) -> Bool {
        switch self {
        case .src: !text.isEmpty
        case .fix: Self.fixes.contains(text)
        case .sat: Self.isDecimal(text) && Int(text).map { $0 >= 0 } == true
        case .dgpsid: Self.isDecimal(text) && Int(text).map(Self.stations.contains) == true
        case .magvar: Self.isDecimal(text) && Double(text).map { $0 >= 0 && $0 < 360 } == true
        case .geoidheight, .hdop, .vdop, .pdop, .ageofdgpsdata, .wtemp, .depth: Self.isDecimal(text)
        }
    }

    /// Whether a text is a decimal number of XML Schema, which has no exponents.
    static func isDecimal(_ text: String) -> Bool {
        var digits = text.utf8[...]
        if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            digits = digits.dropFirst()
        }
        let parts = digits.split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.contains { !$0.isEmpty }
            && parts.allSatisfy { $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    }
}
