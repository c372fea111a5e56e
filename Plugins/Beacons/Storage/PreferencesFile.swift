import Formats
import Foundation
import PluginKit

/// The app's saved preferences: a property list, XML or binary, whose key `SavedLocations` holds the bytes of an array of
/// locations in JSON, as `UserDefaults` writes them.
struct PreferencesFile {
    private static let key = "SavedLocations"
    /// Longer files are not preferences.
    private static let longest = 64 << 20

    /// The whole list; foreign keys are preserved.
    private var content: [String: Any]
    /// The format of the file.
    private var format: PropertyListSerialization.PropertyListFormat

    /// A new file: binary, as the system writes it.
    init() { (content, format) = ([:], .binary) }

    /// Reads a file; throws `E-BEACON-FILE` if it is not a property list.
    init(_ url: URL) throws {
        let name = url.lastPathComponent
        let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        guard let size, size <= Self.longest, let data = try? Data(contentsOf: url) else {
            throw BeaconErrors.file("\(name) cannot be read as preferences")
        }
        var format = PropertyListSerialization.PropertyListFormat.binary
        let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        guard let content = list as? [String: Any] else {
            throw BeaconErrors.file("\(name) is not a property list of preferences")
        }
        self.content = content
        self.format = format == .openStep ? .xml : format
    }

    /// The beacons; throws `E-BEACON-FILE` if the key is missing or invalid.
    func beacons(file: String) throws -> [Beacon] {
        guard let data = content[Self.key] as? Data else {
            throw BeaconErrors.file(
                "\(file) has no key \(Self.key)", fix: "choose the preferences of the app with the beacons")
        }
        do {
            return try BeaconLocationFile.beacons(in: data)
        } catch let fault as JSONFault {
            throw fault.error(BeaconErrors.file, file: "\(file), \(Self.key)", fix: "export it again")
        }
    }

    /// The bytes of the file with other beacons; unknown keys are kept, including those of single
    /// locations.
    func data(with beacons: [Beacon]) throws -> Data {
        var changed = content
        let before = changed[Self.key] as? Data
        changed[Self.key] = try BeaconLocationFile.data(beacons, over: before)
        return try PropertyListSerialization.data(fromPropertyList: changed, format: format, options: 0)
    }
}
