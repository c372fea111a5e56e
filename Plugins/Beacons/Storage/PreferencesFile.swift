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

    /// The bytes of the locations; throws `E-BEACON-FILE` if the key is missing or of a kind that holds none.
    func locations(file: String) throws -> Data {
        guard let value = content[Self.key] else {
            throw BeaconErrors.file(
                "\(file) has no key \(Self.key)", fix: "choose the preferences of the app with the beacons")
        }
        guard let data = Self.json(value) else {
            throw BeaconErrors.file("\(file): \(Self.key) holds no list of locations")
        }
        return data
    }

    /// The JSON of a value: an app saves it as data; others as a text, or as a list of the property list.
    private static func json(_ value: Any) -> Data? {
        switch value {
        case let data as Data: data
        case let text as String: Data(text.utf8)
        case let list as [Any] where JSONSerialization.isValidJSONObject(list):
            try? JSONSerialization.data(withJSONObject: list)
        default: nil
        }
    }

    /// The bytes of the file with other beacons; unknown keys are kept, including those of single
    /// locations.
    func data(with beacons: [Beacon]) throws -> Data {
        var changed = content
        let old = changed[Self.key]
        let data = try BeaconLocationFile.data(beacons, over: old.flatMap(Self.json))
        // As the app reads it.
        changed[Self.key] =
            switch old {
            case is String: String(decoding: data, as: UTF8.self)
            case is [Any]: try JSONSerialization.jsonObject(with: data)
            default: data
            }
        return try PropertyListSerialization.data(fromPropertyList: changed, format: format, options: 0)
    }
}
