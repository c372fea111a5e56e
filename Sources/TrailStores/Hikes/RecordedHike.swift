import PluginKit

/// A hike in a pipe, of whichever plugin. Commands that need a hike accept any conforming value.
public protocol RecordedHike: DomainObject {
    /// All that is known of it but its points.
    var hike: Hike { get }
    /// Its recording, decoded each time, including invalid coordinates. Throws `E-STORE-TRACK` when it cannot be decoded.
    func recording() throws -> Recording
}
