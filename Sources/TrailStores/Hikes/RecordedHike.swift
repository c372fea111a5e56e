import PluginKit

/// A hike as it goes through pipes, whoever gives it. What needs a hike takes any value that conforms.
public protocol RecordedHike: DomainObject {
    /// All that is known of it but its points.
    var hike: Hike { get }
    /// Its points, decoded each time, also those that are no place on Earth. Throws `E-STORE-TRACK` when they cannot
    /// be decoded.
    func recordedPoints() throws -> [TrackPoint]
}
