import CivilTime
import Foundation
import Geodesy
import Pictures
import PluginKit

/// What a printed map says about north: a compass does not point to the north of the map.
struct MapNorth {
    /// The lines below the north arrow.
    let lines: [String]
    /// Degrees of magnetic north east of true north in the middle; `nil` if unknown.
    let declination: Double?

    /// Degrees between the corners of a map above which one number does not hold for all of it.
    private static let spread = 0.5

    /// The lines for a view at an instant. `hasGrid` is for a grid of UTM, whose north is a third one.
    init(of view: MapView, at moment: Timestamp, hasGrid: Bool) {
        let year = Self.decimalYear(moment)
        let center = MagneticModel.declination(at: view.center, year: year)
        declination = center?.degrees
        var lines = [Self.magnetic(view, center, year)]
        if hasGrid, let zone = UTMZone(of: view.center) {
            lines.append("grid north \(Self.words(zone.convergence(at: view.center))), zone \(zone.name)")
        }
        self.lines = lines
    }

    private static func magnetic(_ view: MapView, _ center: MagneticDeclination?, _ year: Double) -> String {
        let years = MagneticModel.years
        guard years.contains(year) else {
            return
                "magnetic north unknown: \(MagneticModel.name) is for \(Int(years.lowerBound)) to \(Int(years.upperBound) - 1)"
        }
        let rect = view.visible
        let corners = [(rect.x, rect.y), (rect.maxX, rect.y), (rect.x, rect.maxY), (rect.maxX, rect.maxY)]
            .map { view.coordinate(at: ScenePoint($0.0, $0.1)) }
            .map { MagneticModel.declination(at: $0, year: year) }
        let known = corners.compactMap { $0?.degrees }
        guard let center, known.count == corners.count else {
            return "magnetic north unknown: near a magnetic pole"
        }
        let (low, high) = (known.min() ?? center.degrees, known.max() ?? center.degrees)
        let whole = String(Int(year))
        let doubt = corners.contains { $0?.isDoubtful ?? true } ? ", doubtful near a magnetic pole" : ""
        guard high - low <= spread else {
            return "magnetic north from \(words(low)) to \(words(high)) in \(whole)\(doubt)"
        }
        return "magnetic north \(words(center.degrees)) ± \(number(center.uncertainty)) in \(whole), "
            + "\(words(center.annualChange)) a year\(doubt)"
    }

    /// `3.7° E`
    static func words(_ degrees: Double) -> String {
        let text = number(degrees)
        return text == number(0) ? text : "\(text) \(degrees < 0 ? "W" : "E")"
    }

    private static func number(_ degrees: Double) -> String {
        String(format: "%.1f°", abs(degrees))
    }

    /// The year with the part of it that has passed.
    static func decimalYear(_ moment: Timestamp) -> Double {
        let days = moment.seconds / 86_400
        let year = CivilDate(daysSinceEpoch: Int(days.rounded(.down))).year
        guard let first = CivilDate(year: year, month: 1, day: 1),
            let next = CivilDate(year: year + 1, month: 1, day: 1)
        else { return Double(year) }
        let length = Double(next.daysSinceEpoch - first.daysSinceEpoch)
        return Double(year) + (days - Double(first.daysSinceEpoch)) / length
    }
}
