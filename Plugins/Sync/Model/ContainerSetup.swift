import Foundation

/// What an app needs so that its container syncs, checked against its entitlements. Pure: the files are read elsewhere.
struct ContainerSetup {
    /// The container of the app whose stores Rutter opens.
    static let container = "iCloud.com.openhiker.ios"
    /// The names of the record types in its private database.
    static let recordTypes = ["SavedRoute", "Waypoint", "PlannedRoute"]

    /// Keys of an entitlements file.
    private enum Key {
        static let services = "com.apple.developer.icloud-services"
        static let containers = "com.apple.developer.icloud-container-identifiers"
        static let push = ["aps-environment", "com.apple.developer.aps-environment"]
    }

    /// How a point of the list stands.
    enum State: String {
        case holds, missing
        /// Nothing on this machine tells.
        case unknown
    }

    /// A point of the list.
    struct Check {
        let name: String
        let state: State
        let found: String
        /// What to do; empty where it holds.
        let fix: String
    }

    /// The container that the entitlements must name.
    let wanted: String

    /// The points that a file of entitlements tells.
    func checks(of entitlements: [String: Any], file: String) -> [Check] {
        let services = Self.texts(entitlements[Key.services])
        let containers = Self.texts(entitlements[Key.containers])
        let push = Key.push.compactMap { entitlements[$0] as? String }
        return [
            Self.check(
                "service CloudKit", services, "CloudKit", "add CloudKit to \(Key.services) in \(file)"),
            Self.check("container", containers, wanted, "add \(wanted) to \(Key.containers) in \(file)"),
            Check(
                name: "push notifications", state: push.isEmpty ? .missing : .holds,
                found: push.joined(separator: ", "),
                fix: push.isEmpty
                    ? "add aps-environment to \(file): without it subscriptions send no notification" : ""),
        ]
    }

    /// The points that only the account and the dashboard tell.
    var outside: [Check] {
        [
            Check(
                name: "account", state: .unknown, found: "",
                fix: "on the device: ubiquityIdentityToken is not nil while iCloud is signed in"),
            Check(
                name: "record types", state: .unknown, found: "",
                fix: "in the dashboard of \(wanted): \(Self.recordTypes.joined(separator: ", "))"),
            Check(
                name: "verbose log", state: .unknown, found: "",
                fix: "in the app: set com.apple.cloudkit.verbose-logs to true; here: --log-level debug"),
        ]
    }

    private static func check(_ name: String, _ found: [String], _ wanted: String, _ fix: String) -> Check {
        let holds = found.contains(wanted)
        return Check(
            name: name, state: holds ? .holds : .missing, found: found.joined(separator: ", "),
            fix: holds ? "" : fix)
    }

    /// A list of texts; a single text counts as a list of one.
    private static func texts(_ value: Any?) -> [String] {
        if let text = value as? String { return [text] }
        return (value as? [Any])?.compactMap { $0 as? String } ?? []
    }
}
