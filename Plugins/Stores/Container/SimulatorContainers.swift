import Foundation

/// An app's container in a folder that is laid out as a simulator of phones lays out its devices:
/// `Devices/UDID/data/Containers/Data/Application/UUID`.
struct SimulatorContainer: Hashable {
    /// The name of the device, such as `iPhone 15`; `nil` if its description cannot be read.
    var device: String?
    /// The identifier of the device, which is the name of its folder.
    var udid: String
    /// The system of the device, such as `iOS 17.2`, if its description says it.
    var system: String?
    /// The bundle identifier of the app; `nil` if the container does not say it.
    var app: String?
    /// The folder of the container.
    var url: URL
}

/// Finds the containers of a folder of devices, or of one device.
struct SimulatorContainers {
    /// Those found, by the device's name and identifier, then by app.
    private(set) var found: [SimulatorContainer] = []
    /// The devices without a container of an app.
    private(set) var empty: [String] = []

    /// Where a simulator keeps its devices, below the home folder.
    static let usual = "Library/Developer/CoreSimulator/Devices"
    private static let applications = "data/Containers/Data/Application"
    private static let metadata = ".com.apple.mobile_container_manager.metadata.plist"

    /// Looks into a folder of devices or the folder of one; `nil` if it is neither.
    init?(_ folder: URL, check: () throws -> Void) throws {
        let devices =
            Self.isDevice(folder)
            ? [folder]
            : Self.names(in: folder).map { folder.appendingPathComponent($0) }.filter(Self.isDevice)
        if devices.isEmpty { return nil }
        for device in devices {
            try check()
            add(device)
        }
        found.sort { one, other in
            (one.device ?? "", one.udid, one.app ?? "", one.url.path)
                < (other.device ?? "", other.udid, other.app ?? "", other.url.path)
        }
    }

    private static func isDevice(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.appendingPathComponent("device.plist").path)
            || FileManager.default.fileExists(atPath: url.appendingPathComponent(applications).path)
    }

    private mutating func add(_ device: URL) {
        let about = Self.dictionary(device.appendingPathComponent("device.plist"))
        let udid = device.lastPathComponent
        let name = about["name"] as? String
        let folder = device.appendingPathComponent(Self.applications)
        let names = Self.names(in: folder).filter { Self.isFolder(folder.appendingPathComponent($0)) }
        if names.isEmpty { empty.append(name ?? udid) }
        for container in names {
            let url = folder.appendingPathComponent(container)
            found.append(
                SimulatorContainer(
                    device: name, udid: udid, system: (about["runtime"] as? String).map(Self.system),
                    app: Self.dictionary(url.appendingPathComponent(Self.metadata))["MCMMetadataIdentifier"]
                        as? String,
                    url: url))
        }
    }

    /// `com.apple.CoreSimulator.SimRuntime.iOS-17-2` as `iOS 17.2`; anything else as it is.
    static func system(_ runtime: String) -> String {
        let parts = runtime.split(separator: ".").last?.split(separator: "-") ?? []
        guard let name = parts.first, parts.count > 1, parts.dropFirst().allSatisfy({ Int($0) != nil }) else {
            return runtime
        }
        return "\(name) \(parts.dropFirst().joined(separator: "."))"
    }

    private static func dictionary(_ url: URL) -> [String: Any] {
        guard let data = FileManager.default.contents(atPath: url.path) else { return [:] }
        return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any] ?? [:]
    }

    private static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
    }

    private static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}
