import Geodesy
import PluginKit

/// The numbers of the overlay in display form, for terminals and the watch face.
struct OverlayFacts {
    let overlay: Overlay
    let units: UnitSystem

    private static let kilometre = 1000.0

    /// The distance to the turn.
    var distance: String? { overlay.distance.map(length) }
    /// The distance to the route while away from it.
    var warningDistance: String? { overlay.warning.map { length($0.distance) } }
    /// The warning while away from it.
    var warning: String? { overlay.warning.map { "\($0.text), \(length($0.distance)) to the line" } }
    /// The remaining distance.
    var remaining: String { length(overlay.remaining) }
    /// The share of the route, rounded down.
    var percent: String { "\(Int((max(0, min(1, overlay.progress)) * 100).rounded(.down)))%" }

    /// The remaining time, rounded up to minutes.
    var time: String {
        let total = Int((max(0, min(overlay.time, 1e9)) / 60).rounded(.up))
        return total < 60 ? "\(total)min" : "\(total / 60)h\(total % 60 == 0 ? "" : "\(total % 60)min")"
    }

    private func length(_ metres: Double) -> String {
        // Decimetres are below the accuracy of a fix.
        Literal.quantity(.metres(metres < Self.kilometre ? metres.rounded() : metres), system: units)
    }
}

extension Overlay {
    /// Its numbers in a system of units.
    func facts(_ units: UnitSystem) -> OverlayFacts { OverlayFacts(overlay: self, units: units) }
}
