import PluginKit

extension Quantity {
    /// A measured duration in seconds, exact to the millisecond as times are, so that parts add up to their whole; shown as
    /// `seconds` is.
    static func duration(_ seconds: Double) -> Quantity {
        Quantity((seconds * 1000).rounded() / 1000, .duration, digits: measuredDigits)
    }
}
