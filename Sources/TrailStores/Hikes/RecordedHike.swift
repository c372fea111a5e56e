import PluginKit

/// A hike in a pipe, from any plugin. Commands that need a hike accept any conforming value.
public protocol RecordedHike: DomainObject {
    /// The hike without its points.
    var hike: Hike { get }
    /// Its recording, decoded on each call, including invalid coordinates. Throws `E-STORE-TRACK` if it
    /// cannot be decoded.
    func recording() throws -> Recording
}
