/// What the device grants the app about its position.
enum LocationPermission: String, Sendable, Hashable, CaseIterable {
    case notDetermined = "not-determined"
    case denied
    case restricted
    case whenInUse = "when-in-use"
    case always

    /// What the app shows for beacons without a position.
    static let required = "Location permission required"

    /// Whether the app gets positions.
    var grantsPosition: Bool { self == .whenInUse || self == .always }

    /// What the state means, in lists of choices.
    var words: String {
        switch self {
        case .notDetermined: "the user has not been asked yet"
        case .denied: "the user has refused"
        case .restricted: "the device does not allow it, such as by parental controls"
        case .whenInUse: "granted while the app is in use"
        case .always: "granted, also in the background"
        }
    }

    /// What the app shows in place of, or above, the beacons.
    var shown: String {
        switch self {
        case .notDetermined: "\(Self.required): the system asks when the first beacon is enabled"
        case .denied: "\(Self.required): allow it in Settings"
        case .restricted: "\(Self.required): it is restricted on this device"
        case .whenInUse, .always: "the beacons"
        }
    }
}
