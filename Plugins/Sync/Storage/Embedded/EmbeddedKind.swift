import PluginKit

/// A cloud in a file.
enum EmbeddedKind: CloudKind {
    static let schemes = [""]
    static let pattern = "file"
    static let usesNetwork = false
    static let libraries: [NativeLibrary] = []

    static func open(_ address: CloudAddress) throws -> any CloudBackend {
        try EmbeddedCloud(try address.file(address.text), zone: "private", epoch: address.epoch)
    }
}
